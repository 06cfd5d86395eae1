import { storeName } from './name.ts';

/**
 * Files of what is kept, in the browser's Cache Storage: pictures by their content's name, whichever prepas show them; documents by their address; and the
 * page that shows all of it with its scripts and styles, each release in a cache of its own.
 */
export const pictureCache = `${storeName}-images`;
export const documentCache = `${storeName}-documents`;
/** Before the number of a release's. */
const pagePrefix = `${storeName}-page-`;

/** Where the page is asked for, and kept under. */
export const shellPath = '/user/hors-ligne/page';

export const picturePath = (name: string): string => `/media/content/${name}`;

/** Those of releases, the newest first; the one of the page that is shown has it inside. */
export async function pageCaches(): Promise<string[]> {
  return (await caches.keys())
    .filter((name) => name.startsWith(pagePrefix))
    .sort()
    .reverse();
}

/** The name of one more, newer than those that are there. */
export const nextPageCache = ([newest]: readonly string[]): string =>
  pagePrefix + String(Number(newest?.slice(pagePrefix.length) ?? 0) + 1).padStart(9, '0');

/** Paths of the files of a cache. */
export async function pathsIn(name: string): Promise<string[]> {
  if (!(await caches.has(name))) return [];
  return (await (await caches.open(name)).keys()).map(({ url }) => new URL(url).pathname);
}

/** Drops the pictures and documents that nothing shows any more. */
export async function keepOnly(cacheName: string, paths: readonly string[]): Promise<void> {
  const wanted = new Set(paths);
  for (const path of await pathsIn(cacheName)) if (!wanted.has(path)) await (await caches.open(cacheName)).delete(path);
}

/** Drops all files. */
export async function dropFiles(): Promise<void> {
  for (const name of await caches.keys()) if (name.startsWith(storeName)) await caches.delete(name);
}
