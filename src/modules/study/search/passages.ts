import type { EntityManager } from '@mikro-orm/postgresql';
import { LRUCache } from 'lru-cache';
import { cutPassages, type FoundItem } from './search.repository.ts';

/** Memory for passages, in characters. */
const cacheSize = 4 * 1024 * 1024;

/**
 * Where in their texts the items found say what is asked for, by id; nothing of what is locked. Cutting one costs many times what finding its item does, and
 * thousands ask for the same words: each is kept by what it is cut from, its item's version and the words. Who may read it has been asked for these items
 * before, and is no part of it.
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
