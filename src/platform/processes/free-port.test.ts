import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import t from 'tap';
import { freePort } from './free-port.ts';

const givenOut = '/proc/sys/net/ipv4/ip_local_port_range';

t.test('a free port is outside the range from which the system assigns ports', { skip: !existsSync(givenOut) && 'no Linux' }, async (t) => {
  const [from = 0, to = 0] = readFileSync(givenOut, 'utf8').trim().split(/\s+/).map(Number);
  const ports = await Promise.all(Array.from({ length: 20 }, () => freePort()));
  t.strictSame(
    ports.filter((port) => port >= from && port <= to),
    [],
  );
});

t.test('a server can listen on it', async (t) => {
  const server = createServer().listen(await freePort(), '127.0.0.1');
  t.teardown(() => server.close());
  await t.resolves(once(server, 'listening'));
});

t.test('fails at once for an address that this machine does not have', async (t) => {
  await t.rejects(freePort('192.0.2.1'), { code: 'EADDRNOTAVAIL' });
});
