import { storeName } from './name.ts';

/**
 * Kept files, in the browser's Cache Storage. Pictures are stored by the name of their content, shared by all prepas; documents by their
 * path. The page that shows kept prepas, with its scripts and styles, has one cache per release.
 */
export const pictureCache = `${storeName}-images`;
export const documentCache = `${storeName}-documents`;
/** Prefix of the page caches; the number of the release follows. */
const pagePrefix = `${storeName}-page-`;

/** Path of the page that shows kept prepas, on the server and in its cache. */
export const shellPath = '/user/hors-ligne/page';

export const picturePath = (name: string): string => `/media/content/${name}`;

/** Returns the names of the page caches, newest first. Only the cache of the current release holds the page itself. */
export async function pageCaches(): Promise<string[]> {
  return (await caches.keys())
    .filter((name) => name.startsWith(pagePrefix))
    .sort()
    .reverse();
}

/** Returns the name of the next page cache. */
export const nextPageCache = ([newest]: readonly string[]): string =>
  pagePrefix + String(Number(newest?.slice(pagePrefix.length) ?? 0) + 1).padStart(9, '0');

/** Returns the paths of the files in a cache. */
export async function pathsIn(name: string): Promise<string[]> {
  if (!(await caches.has(name))) return [];
  return (await (await caches.open(name)).keys()).map(({ url }) => new URL(url).pathname);
}

/** Deletes all files of a cache except these paths. */
export async function keepOnly(cacheName: string, paths: readonly string[]): Promise<void> {
  const wanted = new Set(paths);
  for (const path of await pathsIn(cacheName)) if (!wanted.has(path)) await (await caches.open(cacheName)).delete(path);
}

/** Deletes all kept files. */
export async function dropFiles(): Promise<void> {
  for (const name of await caches.keys()) if (name.startsWith(storeName)) await caches.delete(name);
}
