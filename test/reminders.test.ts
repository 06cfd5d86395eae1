import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import t from 'tap';
import { projectRoot } from '../src/platform/settings/project-root.ts';
import { createTestApp } from './support/app.ts';
import { createPrepa } from './support/factories.ts';
import { startProcess } from './support/process.ts';
import { seedOfRun } from './support/random.ts';
import { simulateReminders } from './support/reminders.ts';
import { sql } from './support/sql.ts';

// Each learner gets each reminder once: 7, 3 and 1 days before an end, and when it has come, however often the command runs. `make soak`
// does the same with 10,000 learners over 60 days.

const seed = seedOfRun();

t.test(`forty days of random runs, two at once, killed between transactions (SEED=${seed})`, async (t) => {
  const home = await createTestApp(t);
  const { reminders, reads, runs, ...wrong } = await simulateReminders(home, { learners: 200, days: 40, seed, size: 5 });
  t.same(wrong, { missing: [], unexpected: [], twice: 0, wrongReads: [] });
  t.ok(Math.min(runs.single, runs.double, runs.killed) > 0, JSON.stringify(runs));
  t.ok(reminders > 400, `${reminders} reminders`);
  t.ok(reads > 200, `${reads} reads`);
});

t.test('a run killed in the middle leaves complete batches, and the next run does the rest', async (t) => {
  const home = await createTestApp(t);
  const { databaseUrl } = home;
  const prepa = await createPrepa(home);
  const users = await sql<{ id: string }>(
    databaseUrl,
    `with learner as (insert into app_user (id, username, email, password_hash, created_at)
                      select gen_random_uuid(), 'c' || n, 'c' || n || '@gmail.com', 'unusable', now() from generate_series(1, 2500) n returning id)
     insert into enrolment (user_id, prepa_id, prepa_nom, statut, date_inscription, date_expiration)
     select id, $1, 'Prépa', 'active', now() - interval '24 days', now() + interval '6 days' from learner returning user_id as id`,
    [prepa.id],
  );
  // Another transaction holds a learner of the second batch: the run waits there, with its first batch committed.
  const holder = home.kernel.fork();
  await holder.begin();
  await holder.execute('select id from app_user where id = ? for update', [users[1_500]?.id ?? '']);
  const command = await startProcess(t, join(projectRoot, 'dist/cli/main.js'), {
    args: ['enrolments', 'expire'],
    env: { NODE_ENV: 'test', DATABASE_URL: databaseUrl },
  });
  const waiting = `select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
  while ((await sql(databaseUrl, waiting)).length === 0) await pause(20);
  await command.kill9();
  await holder.rollback();
  const counts = async () =>
    (
      await sql<{ told: number; marked: number }>(
        databaseUrl,
        `select (select count(*)::int from notification) as told, (select count(*)::int from enrolment where announced_days = 7) as marked`,
      )
    )[0];
  // The transaction of the killed command ends when PostgreSQL notices the closed connection.
  const others = `select 1 from pg_stat_activity where datname = current_database() and state like '%transaction%' and pid <> pg_backend_pid()`;
  while ((await sql(databaseUrl, others)).length > 0) await pause(20);
  t.same(await counts(), { told: 1_000, marked: 1_000 }, 'the committed batch is complete');

  const again = await startProcess(t, join(projectRoot, 'dist/cli/main.js'), {
    args: ['enrolments', 'expire', '--json'],
    env: { NODE_ENV: 'test', DATABASE_URL: databaseUrl },
  });
  t.equal(await again.ended, 0);
  t.same(JSON.parse(again.output()), { expired: 0, restored: 0, announced: 1_500, dryRun: false });
  t.same(await counts(), { told: 2_500, marked: 2_500 });
  const [{ most } = { most: 0 }] = await sql<{ most: number }>(
    databaseUrl,
    'select max(count)::int as most from (select count(*) from notification group by user_id) each',
  );
  t.equal(most, 1);
});
