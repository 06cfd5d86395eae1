import t from 'tap';
import { createTestApp } from '../../test/support/app.ts';
import { sql } from '../../test/support/sql.ts';
import { createAttemptLimiter, forgetAttempts, removeEndedAttempts } from './attempt-limiter.ts';

const { kernel, databaseUrl } = await createTestApp(t);
const options = { points: 2, windowSeconds: 60 };
const [first, second] = [
  await createAttemptLimiter(kernel.orm, { name: 'first', ...options }),
  await createAttemptLimiter(kernel.orm, { name: 'second', ...options }),
];
const tooMany = { code: 'REQUEST.TOO_MANY', status: 429 };

t.test('each place is counted apart, and all of a key is forgotten at once', async (t) => {
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
  t.equal(await forgetAttempts(kernel.fork(), ['first', 'second'], 'awa'), 1, "what was given back stands in nobody's way");
  t.equal(await forgetAttempts(kernel.fork(), ['first'], 'moussa'), 1);
});

t.test('what has ended is removed', async (t) => {
  await first.consume('ended');
  await first.consume('running');
  const [{ key } = { key: '' }] = await sql<{ key: string }>(databaseUrl, 'select key from attempt_limit limit 1');
  await sql(databaseUrl, 'update attempt_limit set expire = 1 where key = $1', [key]);
  await removeEndedAttempts(kernel.fork());
  t.same(await sql(databaseUrl, 'select count(*)::int as rows from attempt_limit'), [{ rows: 1 }]);
});
