import { LRUCache } from 'lru-cache';

/**
 * A cache that reads what it lacks with `fetchMethod`. Concurrent requests for a key share one read, and a read that is evicted while it runs
 * still answers them: the library would fail them.
 */
export class ReadCache<Key extends string, Value extends object | string | number, Context> extends LRUCache<Key, Value, Context> {
  constructor(options: LRUCache.Options<Key, Value, Context>) {
    super({ ...options, ignoreFetchAbort: true });
  }
}
