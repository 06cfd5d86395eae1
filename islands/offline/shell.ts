import { fetchWhole } from './kept-files.ts';
import { oneAtATime } from './one-at-a-time.ts';
import { copies } from './store/copies.ts';
import { note, putNote } from './store/device.ts';
import { dropFiles, nextPageCache, pageCaches, shellPath } from './store/files.ts';

/** After so many ms the page is fetched anew, with the scripts and styles of the release that answers it. */
const staleMs = 86_400_000;

type Missing = 'network' | 'release' | null;

interface Wanted {
  /** False: not when it was fetched within a day. */
  isForced: boolean;
  signal?: AbortSignal;
}

/**
 * The page that shows what is kept, with its scripts and styles: all of one release, or the one before stays. Its files that are here already are not fetched again;
 * those of the release before stay for tabs that are open.
 * @returns what is missing: the network, or, between two releases, what the server has no more; null for nothing  @throws QuotaExceededError
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
    // Last: from now on this page is shown, and no other.
    await cache.put(shellPath, page);
    if (shown) await (await caches.open(shown)).delete(shellPath);
  } catch (error) {
    await caches.delete(name);
    if (error instanceof DOMException) throw error;
    return missing;
  }
  // Everything was removed meanwhile.
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

/** What the page says that it needs; null for another page. */
function assetsIn(html: string): string[] | null {
  const [, double, single] = /data-assets=(?:"([^"]*)"|'([^']*)')/.exec(html) ?? [];
  const json = (double ?? single)?.replaceAll('&quot;', '"').replaceAll('&#34;', '"').replaceAll('&amp;', '&');
  try {
    return JSON.parse(json ?? '');
  } catch {
    return null;
  }
}
