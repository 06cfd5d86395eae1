import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import t from 'tap';
import { startMerchant } from '../platform/testing.ts';
import { createControlClient } from './control-client.ts';
import { requestOf } from './testing.ts';

t.test('keys, webhook, ledger, clock and scenarios come from the environment', async (t) => {
  const merchant = await startMerchant(t);
  const env = {
    PATH: process.env.PATH,
    PORT: '0',
    PUBLIC_KEY: 'pk_mine',
    HASH_KEY: 'hsk_mine',
    CLOCK_SPEED: '100000',
    WEBHOOK_URL: `${merchant.url}/hook`,
    LEDGER_FILE: join(t.testdir(), 'ledger.jsonl'),
  };
  const child = spawn(process.execPath, [join(import.meta.dirname, 'server.ts')], { env, stdio: ['ignore', 'pipe', 'inherit'] });
  t.after(() => child.kill('SIGKILL'));
  const [line] = (await once(child.stdout.setEncoding('utf8'), 'data')) as [string];
  const url = String(/^Simulateur Notch Pay prêt : (http:\/\/127\.0\.0\.1:\d+)\n$/.exec(line)?.[1]);

  const start = (authorization: string) =>
    fetch(`${url}/payments`, {
      method: 'POST',
      headers: { authorization, 'content-type': 'application/json' },
      body: JSON.stringify({ ...requestOf('A'), amount: 5007 }),
    });
  t.equal((await start('pk_test_sim')).status, 401);
  t.equal((await start('pk_mine')).status, 201);
  t.equal(merchant.received[0]?.url, '/hook', 'scenario 07: paid and notified before the response');
  const control = createControlClient(url);
  await control.register(requestOf('B'));
  // The clock is accelerated: three hours take 108 ms.
  await merchant.has(2);
  t.match(await control.ledger(), [
    { ref: 'A', status: 'complete' },
    { ref: 'B', status: 'expired' },
  ]);
  child.kill('SIGTERM');
  t.equal((await once(child, 'exit'))[0], 0);
});
