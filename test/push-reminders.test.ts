import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import t, { type Test } from 'tap';
import { createVapidKeys } from '../src/modules/revision/index.ts';
import { queueDailyReminders } from '../src/modules/revision/push/daily-reminders.ts';
import { projectRoot } from '../src/platform/settings/project-root.ts';
import { createTestApp, openCommands, type TestApp } from './support/app.ts';
import { createDiscipline, createItem, createPrepa } from './support/factories.ts';
import { isLongForm } from './support/long-form.ts';
import { startProcess } from './support/process.ts';
import { openPushService, type PushService } from './support/push-service.ts';
import { numberQuestion } from './support/questions.ts';
import { sql } from './support/sql.ts';
import { asRole } from './support/template.ts';

// `prepa push send` as a process of its own, killed and repeated. In the long form with 50,000 learners.

const learners = isLongForm ? 50_000 : 400;
/** Largest number of messages that a killed run may have taken (`width` in sending.ts). */
const taken = 50;
const keys = createVapidKeys();

/** Creates learners with access and a browser, all of one service, and queues their reminders. */
async function fill(home: TestApp, t: Test, service: PushService): Promise<void> {
  const evening = new Date('2026-11-30T18:15:00Z');
  home.clock.advance(evening.getTime() - home.clock.now().getTime());
  const prepa = await createPrepa(home);
  const discipline = await createDiscipline(home, prepa.id);
  await createItem(home, discipline.id, { contenu: numberQuestion('pushquestion', '4') });
  const browsers = Array.from({ length: learners }, () => service.browser());
  await sql(
    home.databaseUrl,
    `with input as (select * from unnest($1::text[], $2::text[], $3::text[]) with ordinality as i(endpoint, p256dh, auth, number)),
          learner as (insert into app_user (id, username, email, password_hash, created_at)
                      select gen_random_uuid(), 'rappel_' || number, number || '@gmail.com', 'unusable', now() from input returning id, email),
          enrolled as (insert into enrolment (user_id, prepa_id, prepa_nom, statut, date_inscription, date_expiration)
                       select id, $4, 'Prépa', 'active', $5, $5::timestamptz + interval '20 days' from learner)
     insert into push_subscription (user_id, endpoint, service, p256dh, auth, hour, created_at)
     select l.id, i.endpoint, $6, i.p256dh, i.auth, 19, now() from input i join learner l on l.email = i.number || '@gmail.com'`,
    [
      browsers.map(({ endpoint }) => endpoint),
      browsers.map(({ p256dh }) => p256dh),
      browsers.map(({ auth }) => auth),
      prepa.id,
      evening,
      new URL(service.origin).host,
    ],
  );
  const kernel = await openCommands(t, home);
  const runs = await Promise.all([queueDailyReminders(kernel.fork(), evening), queueDailyReminders(kernel.fork(), evening)]);
  t.equal(runs[0] + runs[1], learners, 'two runs at once queue each reminder once');
  t.equal(await queueDailyReminders(kernel.fork(), evening), 0);
  // The processes have the real time: the messages are due, and no hour of a subscription comes.
  await sql(home.databaseUrl, `update push_message set due_at = now() - interval '1 minute', expires_at = now() + interval '1 hour'`);
  await sql(home.databaseUrl, 'update push_subscription set hour = 99');
}

t.test(`${learners} learners, a run killed, two at once: each message once`, { timeout: 900_000 }, async (t) => {
  const home = await createTestApp(t);
  const service = await openPushService(t, keys.publicKey, () => new Date());
  await fill(home, t, service);
  const start = () =>
    startProcess(t, join(projectRoot, 'dist/cli/main.js'), {
      args: ['push', 'send', '--json'],
      env: {
        NODE_ENV: 'test',
        DATABASE_URL: asRole(home.databaseUrl, 'commands'),
        // A process that kept its messages would need more.
        ...(isLongForm && { NODE_OPTIONS: '--max-old-space-size=96' }),
        PUSH_PUBLIC_KEY: keys.publicKey,
        PUSH_PRIVATE_KEY: keys.privateKey,
      },
    });
  /** Returns the largest memory of a running process so far, in MB. */
  const peak = (pid: number | undefined) => Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1024;

  const killed = await start();
  // By then the process has all its code and connections.
  await service.received(learners / 5);
  const early = isLongForm ? peak(killed.child.pid) : 0;
  await service.received(isLongForm ? 0.9 * learners : learners / 2);
  const late = isLongForm ? peak(killed.child.pid) : 0;
  await killed.kill9();
  t.ok(late - early < 60, `memory does not grow with the messages: ${Math.round(early)} MB, then ${Math.round(late)} MB`);

  const runs = await Promise.all([start(), start()]);
  t.same(await Promise.all(runs.map(({ ended }) => ended)), [0, 0]);
  const again = await start();
  t.equal(await again.ended, 0);
  t.match(JSON.parse(again.output()), { queued: 0, sent: 0 }, 'nothing is left');

  t.same(service.faults, []);
  const endpoints = new Set(service.messages.map(({ browser }) => browser.endpoint));
  t.equal(service.messages.length, endpoints.size, 'none twice');
  t.ok(learners - endpoints.size <= taken, `${learners - endpoints.size} lost by the kill`);
});
