import { mock } from 'node:test';
import t, { type Test } from 'tap';
import { sayKept, sayMark } from './say-mark.ts';

/** Simulates a server that responds with these statuses in turn, then with 204, and a browser's storage. Returns the requests. */
function serve(t: Test, statuses: number[]): string[] {
  const asked: string[] = [];
  const { fetch } = globalThis;
  const storage = new Map<string, string>();
  globalThis.fetch = async (input) => {
    asked.push(String(input));
    return new Response(null, { status: statuses.shift() ?? 204, headers: { 'retry-after': '4' } });
  };
  Object.assign(globalThis, {
    sessionStorage: {
      getItem: (key: string) => storage.get(key) ?? null,
      setItem: (key: string, value: string) => void storage.set(key, value),
      removeItem: (key: string) => void storage.delete(key),
    },
  });
  mock.timers.enable({ apis: ['setTimeout'] });
  t.teardown(() => {
    mock.timers.reset();
    globalThis.fetch = fetch;
    Reflect.deleteProperty(globalThis, 'sessionStorage');
  });
  return asked;
}

/** Resolves once all pending requests are done. */
const settled = () => new Promise(setImmediate);

t.test('a mark is sent once', async (t) => {
  const asked = serve(t, []);
  t.equal(await sayMark('/api/items/1/lu'), true);
  mock.timers.tick(60_000);
  await settled();
  t.same(asked, ['/api/items/1/lu']);
});

t.test('a mark refused by a busy server is sent again after its Retry-After', async (t) => {
  const asked = serve(t, [503, 503]);
  t.equal(await sayMark('/api/items/1/lu'), true, 'a mark that waits counts as accepted');
  t.equal(await sayMark('/api/items/2/termine'), true);
  mock.timers.tick(3_999);
  await settled();
  t.equal(asked.length, 2);
  mock.timers.tick(4_001);
  await settled();
  t.same(asked.slice(2), ['/api/items/1/lu', '/api/items/2/termine']);
});

t.test('a mark refused twice is stored and sent by the next page of the tab', async (t) => {
  const asked = serve(t, [503, 503]);
  await sayMark('/api/items/1/lu');
  mock.timers.tick(8_000);
  await settled();
  t.equal(asked.length, 2);
  await sayKept();
  t.equal(asked.length, 3);
  await sayKept();
  t.equal(asked.length, 3, 'a sent mark is not sent again');
});

t.test('any other refusal is final', async (t) => {
  const asked = serve(t, [404]);
  t.equal(await sayMark('/api/items/1/termine'), false);
  await sayKept();
  t.equal(asked.length, 1);
});
