import type { EntityManager } from '@mikro-orm/postgresql';
import { LRUCache } from 'lru-cache';
import { cutPassages, type FoundItem } from './search.repository.ts';

/** Size of the passage cache, in characters. */
const cacheSize = 4 * 1024 * 1024;

/**
 * Returns a function that finds, for each item, the passage of its text that matches the search words, by item id. Locked items have
 * no passage.
 * Cutting a passage costs much more than finding the item, and thousands of learners search for the same words. So passages are
 * cached by item, version and words. Access is no part of the key: the caller has checked it for these items.
 */
export function passageFinder() {
  const kept = new LRUCache<string, string>({ maxSize: cacheSize, sizeCalculation: (passage, key) => passage.length + key.length });
  return async (em: EntityManager, words: string, found: readonly FoundItem[]): Promise<ReadonlyMap<number, string>> => {
    const keyOf = ({ id, outlineVersion, inCorrige }: FoundItem) => JSON.stringify([id, outlineVersion, inCorrige, words.toLowerCase()]);
    const passages = new Map<number, string>();
    const missing: FoundItem[] = [];
    for (const item of found) {
      const known = item.locked ? '' : kept.get(keyOf(item));
      if (known === undefined) missing.push(item);
      else passages.set(item.id, known);
    }
    const cut = missing.length === 0 ? null : await cutPassages(em, words, missing);
    for (const item of missing) {
      const passage = cut?.get(item.id) ?? '';
      passages.set(item.id, passage);
      kept.set(keyOf(item), passage);
    }
    return passages;
  };
}
