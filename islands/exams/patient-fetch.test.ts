import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { mock } from 'node:test';
import t, { type Test } from 'tap';
import { patientFetch } from './patient-fetch.ts';

const part = 'sujet';
// Time passes for timers by `mock.timers.tick` only.
mock.timers.enable({ apis: ['setTimeout'] });
const { setTimeout } = globalThis;
/** How often a page began to wait for a part. */
let waits = 0;
const counting = (work: () => void, ms: number) => {
  if (ms === 60_000) waits += 1;
  return setTimeout(work, ms);
};
Object.assign(globalThis, { setTimeout: counting });
t.teardown(() => mock.timers.reset());

/** Starts to fetch a file from a server that sends it part by part. */
async function slowly(t: Test) {
  const server = createServer().listen(0, '127.0.0.1');
  t.teardown(() => {
    server.close();
    server.closeAllConnections();
  });
  await once(server, 'listening');
  const requested = once(server, 'request');
  const fetching = patientFetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
  let isOver = false;
  fetching
    .catch(() => {})
    .finally(() => {
      isOver = true;
    });
  const [, response] = (await requested) as [unknown, ServerResponse];
  return {
    fetching,
    response,
    /** Sends a part. It has arrived when the page waits anew. */
    async send() {
      const before = waits;
      response.write(part);
      while (waits === before && !isOver) await new Promise((resolve) => setImmediate(resolve));
    },
  };
}

t.test('a file that takes longer than a minute arrives, as long as bytes come', async (t) => {
  const { fetching, response, send } = await slowly(t);
  response.writeHead(200, { 'x-name': 'scelle' });
  for (let at = 0; at < 10; at += 1) {
    await send();
    mock.timers.tick(50_000);
  }
  response.end();
  const whole = await fetching;
  t.match(whole, { status: 200, ok: true });
  t.equal(whole.headers.get('x-name'), 'scelle');
  t.equal(await whole.text(), part.repeat(10));
});

t.test('a response that stops is given up after a minute', async (t) => {
  const { fetching, send } = await slowly(t);
  await send();
  mock.timers.tick(59_999);
  await send();
  mock.timers.tick(60_000);
  await t.rejects(fetching, { name: 'AbortError' });
});
