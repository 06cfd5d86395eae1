/**
 * Files of what is kept, in the browser's Cache Storage: pictures by their content's name, whichever prepas show them; documents by their address; and the
 * page that shows all of it with its scripts and styles, each release in a cache of its own.
 */
export const pictureCache = 'prepa-hors-ligne-images';
export const documentCache = 'prepa-hors-ligne-documents';
/** What the names of all begin with. */
const prefix = 'prepa-hors-ligne-';
/** Before the time at which the page was fetched. */
const pagePrefix = `${prefix}page-`;

/** Where the page is asked for, and kept under. */
export const shellPath = '/user/hors-ligne/page';

export const picturePath = (name: string): string => `/media/content/${name}`;

/** A cache for the page as it is fetched at this instant. */
export const pageCacheAt = (now: number): string => `${pagePrefix}${String(now).padStart(15, '0')}`;

/** Those that are there, the newest first; the page of the first is shown. */
export async function pageCaches(): Promise<string[]> {
  return (await caches.keys())
    .filter((name) => name.startsWith(pagePrefix))
    .sort()
    .reverse();
}

/** Paths of the files of a cache. */
export async function pathsIn(name: string): Promise<string[]> {
  if (!(await caches.has(name))) return [];
  return (await (await caches.open(name)).keys()).map(({ url }) => new URL(url).pathname);
}

/** Drops the pictures and documents that nothing shows any more. */
export async function keepOnly(cacheName: string, paths: ReadonlySet<string>): Promise<void> {
  if (paths.size === 0) {
    await caches.delete(cacheName);
    return;
  }
  const gone = (await pathsIn(cacheName)).filter((path) => !paths.has(path));
  const cache = await caches.open(cacheName);
  for (const path of gone) await cache.delete(path, { ignoreSearch: true });
}

/** Drops all files. */
export async function dropFiles(): Promise<void> {
  for (const name of await caches.keys()) if (name.startsWith(prefix)) await caches.delete(name);
}
