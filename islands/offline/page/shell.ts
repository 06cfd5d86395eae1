import { oneAtATime } from '../both/one-at-a-time.ts';
import { copies } from '../both/store/copies.ts';
import { note, putNote } from '../both/store/device.ts';
import { dropFiles, nextPageCache, pageCaches, shellPath } from '../both/store/files.ts';
import { fetchWhole } from './kept-files.ts';

/** Age after which the page is fetched again, with its scripts and styles, in ms. */
const staleMs = 86_400_000;

type Missing = 'network' | 'release' | null;

interface Wanted {
  /** False: does nothing when the page was fetched within a day. */
  isForced: boolean;
  signal?: AbortSignal;
}

/**
 * Fetches the page that shows kept prepas, with its scripts and styles. If a file of the new release is missing, the previous page stays.
 * Files already on the device are not fetched again. The files of the previous release stay for tabs that are open.
 * @returns null on success; 'network' when it failed; 'release' when the server no longer has a file, during a deployment
 * @throws QuotaExceededError
 */
export const keepShell = (wanted: Wanted): Promise<Missing> => oneAtATime('page', true, () => renewShell(wanted));

async function renewShell({ isForced, signal }: Wanted): Promise<Missing> {
  const now = Date.now();
  const fetchedAt = (await note<number>('page')) ?? 0;
  const earlier = await pageCaches();
  const shown = await cacheWithPage(earlier);
  if (!isForced && shown && Math.abs(now - fetchedAt) < staleMs) return null;
  const page = await fetchWhole(shellPath, signal, { headers: { accept: 'text/html' }, cache: 'no-store' });
  if (!page?.ok) return page ? 'release' : 'network';
  const html = await page.clone().text();
  const assets = assetsIn(html);
  if (!assets) return 'release';
  const name = nextPageCache(earlier);
  let missing: Missing = 'release';
  try {
    const cache = await caches.open(name);
    for (const path of assets) {
      const file = (await caches.match(path)) ?? (await fetchWhole(path, signal));
      if (!file) missing = 'network';
      if (!file?.ok) throw new Error(path);
      await cache.put(path, file);
    }
    // Stored last: from now on the worker shows this page.
    await cache.put(shellPath, page);
    if (shown) await (await caches.open(shown)).delete(shellPath);
  } catch (error) {
    await caches.delete(name);
    if (error instanceof DOMException) throw error;
    return missing;
  }
  // All copies were removed during the download.
  if ((await copies()).length === 0) {
    await dropFiles();
    return null;
  }
  for (const old of earlier) if (old !== shown) await caches.delete(old);
  await putNote('page', now);
  return null;
}

async function cacheWithPage(names: readonly string[]): Promise<string | null> {
  for (const name of names) if (await caches.match(shellPath, { cacheName: name })) return name;
  return null;
}

/** Returns the paths that the page lists in `data-assets`; null for another page. */
function assetsIn(html: string): string[] | null {
  const [, double, single] = /data-assets=(?:"([^"]*)"|'([^']*)')/.exec(html) ?? [];
  const json = (double ?? single)?.replaceAll('&quot;', '"').replaceAll('&#34;', '"').replaceAll('&amp;', '&');
  try {
    return JSON.parse(json ?? '');
  } catch {
    return null;
  }
}
