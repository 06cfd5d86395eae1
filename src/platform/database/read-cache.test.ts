import t from 'tap';
import { ReadCache } from './read-cache.ts';

t.test('a read that is evicted while it runs answers its requests', async (t) => {
  const reading: (() => void)[] = [];
  const cache = new ReadCache<string, string, { prefix: string }>({
    max: 1,
    fetchMethod: (key, _stale, { context: { prefix } }) => new Promise((resolve) => reading.push(() => resolve(prefix + key))),
  });
  const read = (key: string) => cache.forceFetch(key, { context: { prefix: 'de ' } });
  const both = Promise.all([read('a'), read('a'), read('b')]);
  t.equal(reading.length, 2, 'requests for one key share a read');
  for (const end of reading) end();
  t.same(await both, ['de a', 'de a', 'de b']);
});
