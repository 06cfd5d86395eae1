import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import t from 'tap';
import { createControlClient } from './control-client.ts';
import { checkoutOf } from './testing.ts';

const entry = join(import.meta.dirname, 'server.ts');

function start(env: Record<string, string>) {
  return spawn(process.execPath, [entry], { env: { PATH: process.env.PATH, ...env }, stdio: ['ignore', 'pipe', 'pipe'] });
}

t.test('prints its address, and closes on a signal', async (t) => {
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    const ledgerFile = join(t.testdir(), `${signal}.jsonl`);
    const child = start({ PORT: '0', LEDGER_FILE: ledgerFile });
    t.after(() => child.kill('SIGKILL'));
    const [line] = (await once(child.stdout.setEncoding('utf8'), 'data')) as [string];
    const url = /^Simulateur ZitoPay prêt : (http:\/\/127\.0\.0\.1:\d+)\n$/.exec(line)?.[1];
    t.ok(url, line);
    const control = createControlClient(String(url));
    await control.register(checkoutOf('A'));
    await control.approveLater('A', 600_000);
    child.kill(signal);
    const [code] = await once(child, 'exit');
    t.equal(code, 0, signal);
  }
});

t.test('prints one line when the port is in use or invalid', async (t) => {
  const holder = createServer().listen(0, '127.0.0.1');
  await once(holder, 'listening');
  t.after(() => holder.close());
  const address = holder.address();
  const port = String(typeof address === 'object' && address?.port);
  const expected: [string, RegExp][] = [
    [port, new RegExp(`^Simulateur ZitoPay : le port ${port} est déjà pris sur 127\\.0\\.0\\.1 : .*\\n$`)],
    ['abc', /^Simulateur ZitoPay : PORT doit être un nombre de 0 à 65535 \(reçu : abc\)\.\n$/],
  ];
  for (const [value, line] of expected) {
    const child = start({ PORT: value });
    const [code, output] = await Promise.all([once(child, 'exit').then(([code]) => code), text(child.stderr)]);
    t.equal(code, 1);
    t.match(output, line);
  }
});
