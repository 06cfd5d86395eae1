import { once } from 'node:events';
import { Agent, createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import t from 'tap';
import { ask } from './ask.ts';
import type { Visit } from './visit.ts';

const answers: Record<string, (response: ServerResponse) => unknown> = {
  '/page': (response) => response.end('page'),
  '/file': (response) => response.write('the first line'),
  '/moved': (response) => response.writeHead(303, { location: '/admin/confirmation' }).end(),
  '/nothing': (response) => response.end(),
  '/broken': (response) => response.destroy(),
  '/later': (response) => response.writeHead(429, { 'retry-after': '7' }).end('later'),
};
const server = createServer((request, response) => answers[request.url ?? '']?.(response)).listen(0, '127.0.0.1');
await once(server, 'listening');
const agent = new Agent({ keepAlive: true, maxSockets: 1 });
t.teardown(() => {
  agent.destroy();
  server.closeAllConnections();
  server.close();
});
const site = { agent, origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
const answered = (path: string, visit: Partial<Visit> = {}) => ask(site, { route: '', path, who: 'administrator', ...visit }, '');

t.test('rejects an unexpected response with its path, and returns Retry-After without waiting', async (t) => {
  const refused = /^GET \/moved, requested by the administrator, answered 303 to \/admin\/confirmation, not 200$/;
  await t.rejects(answered('/moved'), { message: refused });
  await t.rejects(answered('/moved', { streamed: true }), { message: refused });
  await t.rejects(answered('/nothing', { streamed: true }), { message: /^GET \/nothing, .* answered a file without a byte$/ });
  await t.rejects(answered('/broken', { streamed: true }), { message: /^GET \/broken, .* failed: / });
  t.ok((await answered('/file', { streamed: true })).ms > 0);
  t.equal((await answered('/moved', { status: 303 })).retryAfter, 0);
  t.equal((await answered('/later')).retryAfter, 7);
  t.ok((await answered('/page')).ms > 0, 'the connection is usable for further requests');
});
