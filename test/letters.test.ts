import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { projectRoot } from '../src/platform/settings/project-root.ts';
import { weekdayIn } from '../src/shared/dates.ts';
import { createTestApp, type TestApp } from './support/app.ts';
import { createDiscipline, createItem, createPrepa } from './support/factories.ts';
import { isLongForm } from './support/long-form.ts';
import { openPostOffice } from './support/post-office.ts';
import { startProcess } from './support/process.ts';
import { numberQuestion } from './support/questions.ts';
import { sql } from './support/sql.ts';
import { asRole } from './support/template.ts';

// `prepa letters send` as a process of its own, killed and repeated. In the long form with 50,000 learners.

t.setTimeout(isLongForm ? 900_000 : 90_000);

const learners = isLongForm ? 50_000 : 400;
/** Largest number of letters that a killed run may have taken (`width` in mailing.ts). */
const taken = 50;

/** Creates learners with access who get the weekly letter, and as many without access. */
async function fill(home: TestApp): Promise<void> {
  const prepa = await createPrepa(home);
  const discipline = await createDiscipline(home, prepa.id);
  await createItem(home, discipline.id, { contenu: numberQuestion('letterasked1', '4') });
  await sql(
    home.databaseUrl,
    `with learner as (insert into app_user (id, username, email, password_hash, created_at)
                      select gen_random_uuid(), 'lettre_' || n, n || '@gmail.com', 'unusable', now() from generate_series(1, 2 * $1::int) n returning id),
          numbered as (select id, row_number() over () as n from learner),
          enrolled as (insert into enrolment (user_id, prepa_id, prepa_nom, statut, date_inscription, date_expiration)
                       select id, $2, 'Prépa', 'active', now(), now() + case when n <= $1 then 5 else -5 end * interval '1 day' from numbered)
     insert into letter_choice (user_id, weekly, ends) select id, true, true from numbered`,
    [learners, prepa.id],
  );
  await sql(home.databaseUrl, 'analyze');
}

t.test(`${learners} learners, a run killed, two at once: each letter once, none without access`, async (t) => {
  const home = await createTestApp(t);
  const post = await openPostOffice(t);
  await fill(home);
  const start = () =>
    startProcess(t, join(projectRoot, 'dist/cli/main.js'), {
      args: ['letters', 'send', '--json'],
      env: {
        NODE_ENV: 'test',
        DATABASE_URL: asRole(home.databaseUrl, 'commands'),
        // A process that kept its letters would need more.
        ...(isLongForm && { NODE_OPTIONS: '--max-old-space-size=128' }),
        PUBLIC_URL: 'https://prepa.example',
        SMTP_URL: post.url,
        MAIL_FROM: 'ne-pas-repondre@prepa.example',
        // Today, at any hour.
        WEEKLY_LETTER_DAY: String(weekdayIn(new Date())),
        WEEKLY_LETTER_HOUR: '0',
      },
    });
  /** Returns the largest memory of a running process so far, in MB. */
  const peak = (pid: number | undefined) => Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1024;

  const killed = await start();
  // By then the process has all its code and connections.
  await post.received(learners / 5);
  const early = isLongForm ? peak(killed.child.pid) : 0;
  await post.received(isLongForm ? 0.9 * learners : learners / 2);
  const late = isLongForm ? peak(killed.child.pid) : 0;
  await killed.kill9();
  t.ok(late - early < 60, `memory does not grow with the letters: ${Math.round(early)} MB, then ${Math.round(late)} MB`);

  const runs = await Promise.all([start(), start()]);
  t.same(await Promise.all(runs.map(({ ended }) => ended)), [0, 0]);
  const again = await start();
  t.equal(await again.ended, 0);
  t.match(JSON.parse(again.output()), { weekly: 0, refused: 0, rejected: 0, unknown: 0 }, 'nothing is left');

  const reached = post.letters().map(({ to }) => to);
  t.equal(reached.length, new Set(reached).size, 'none twice');
  t.ok(learners - reached.length <= taken, `${learners - reached.length} lost by the kill`);
  const withAccess = await sql<{ email: string }>(
    home.databaseUrl,
    'select u.email from app_user u join enrolment e on e.user_id = u.id where e.date_expiration > now()',
  );
  const entitled = new Set(withAccess.map(({ email }) => email));
  t.same(
    reached.filter((to) => !entitled.has(to)),
    [],
  );
  t.same(await sql(home.databaseUrl, `select name from task_run where name = 'letters'`), [{ name: 'letters' }]);
});
