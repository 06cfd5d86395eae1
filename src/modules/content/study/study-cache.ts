import { LRUCache } from 'lru-cache';
import type { AssembledPage } from '../../../platform/pages/assembled-page.ts';

/** Memory for assembled pages, in bytes. */
const cacheBytes = 64 * 1024 * 1024;

/**
 * Study pages by every version that shows in them, the assets' included: a change anywhere is another key, so that nothing is ever stale, in
 * however many processes. Access is never cached.
 */
export function createStudyCache(): LRUCache<string, AssembledPage> {
  return new LRUCache<string, AssembledPage>({ maxSize: cacheBytes, sizeCalculation: (page, key) => page.size + key.length });
}
