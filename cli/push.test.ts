import t from 'tap';
import { isVapidPair } from '../src/modules/revision/index.ts';
import { createTestDatabase } from '../test/support/database.ts';
import { asRole } from '../test/support/template.ts';
import { runPrepa } from '../test/support/terminal.ts';

t.test('prepa push keys prints a new pair, as settings or as JSON', async (t) => {
  const plain = await runPrepa(['push', 'keys'], {});
  t.equal(plain.code, 0, plain.error);
  const [, publicKey = '', privateKey = ''] = /^PUSH_PUBLIC_KEY=(\S+)\nPUSH_PRIVATE_KEY=(\S+)\n$/.exec(plain.out) ?? [];
  t.ok(isVapidPair({ publicKey, privateKey }));
  const json = JSON.parse((await runPrepa(['push', 'keys', '--json'], {})).out);
  t.ok(isVapidPair(json));
  t.not(json.publicKey, publicKey);
});

t.test('prepa push send without keys says so, and is no failure of the timer', async (t) => {
  const { url } = await createTestDatabase(t);
  const { code, out } = await runPrepa(['push', 'send'], { NODE_ENV: 'test', DATABASE_URL: asRole(url, 'commands') });
  t.equal(code, 0);
  t.match(out, 'Aucun rappel');
});
