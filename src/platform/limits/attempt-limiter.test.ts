import { mock } from 'node:test';
import t from 'tap';
import { TestClock } from '../../../test/support/app.ts';
import { createTestDatabase } from '../../../test/support/database.ts';
import { sql } from '../../../test/support/sql.ts';
import { loadConfig } from '../../config.ts';
import { createKernel } from '../../kernel.ts';
import { createAttemptLimiter, forgetAttempts } from './attempt-limiter.ts';

const { url: databaseUrl } = await createTestDatabase(t);
const kernel = await createKernel(loadConfig({ NODE_ENV: 'test', LOG_LEVEL: 'silent' }), { databaseUrl, clock: new TestClock() });
t.teardown(() => kernel.close());
const tooMany = { code: 'REQUEST.TOO_MANY', status: 429 };

t.test('counts each origin separately and forgets all attempts of a key together', async (t) => {
  const options = { points: 2, windowSeconds: 60 };
  const first = await createAttemptLimiter(kernel.orm, { name: 'first', ...options });
  const second = await createAttemptLimiter(kernel.orm, { name: 'second', ...options });
  for (const from of ['here', 'there']) {
    for (let time = 0; time < 2; time += 1) await first.consume('awa', from);
    await t.rejects(first.consume('awa', from), tooMany, from);
  }
  await first.consume('awa');
  await first.consume('moussa', 'here');
  await second.consume('awa', 'here');
  t.equal(await forgetAttempts(kernel.fork(), ['first'], 'awa'), 3);
  await first.consume('awa', 'here');
  await first.giveBack('awa', 'here');
  t.equal(await forgetAttempts(kernel.fork(), ['first', 'second'], 'awa'), 1, 'a reversed attempt is not counted');
  t.equal(await forgetAttempts(kernel.fork(), ['first'], 'moussa'), 1);
});

t.test('removes expired rows from the table, since strangers choose the keys', async (t) => {
  mock.timers.enable({ apis: ['setTimeout'] });
  t.teardown(() => mock.timers.reset());
  const limiter = await createAttemptLimiter(kernel.orm, { name: 'sign-in', points: 10, windowSeconds: 900 });
  for (let stranger = 0; stranger < 5; stranger += 1) await limiter.consume(`inconnu${stranger}@gmail.com`);
  const left = async () =>
    (await sql<{ key: string }>(databaseUrl, `select key from attempt_limit where key like 'sign-in:%' order by key`)).map(
      ({ key }) => key,
    );
  const [ranOut, ...stillCounting] = await left();
  await sql(databaseUrl, 'update attempt_limit set expire = expire - 5_000_000 where key = $1', [ranOut]);
  // The library removes rows every five minutes and sets its next timer after that.
  for (const deadline = Date.now() + 10_000; (await left()).length === 5 && Date.now() < deadline; ) mock.timers.tick(300_000);
  t.same(await left(), stillCounting);
});
