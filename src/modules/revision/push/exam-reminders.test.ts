import t from 'tap';
import { createTestApp, openCommands } from '../../../../test/support/app.ts';
import { createAnnouncedExam, createExam, minuteMs } from '../../../../test/support/exams.ts';
import { createEnrolment, createLearner, createPrepa } from '../../../../test/support/factories.ts';
import { openPushService } from '../../../../test/support/push-service.ts';
import { sql } from '../../../../test/support/sql.ts';
import { queueExamReminders } from './exam-reminders.ts';
import { createVapidKeys } from './protocol/vapid.ts';
import { sendPushMessages } from './sending.ts';

const keys = { ...createVapidKeys(), subject: 'mailto:support@prepa.example' };

t.test('candidates who asked for reminders get one on the eve at their hour and one an hour before, each once', async (t) => {
  const home = await createTestApp(t);
  const { clock, databaseUrl } = home;
  const goTo = (time: string) => clock.advance(Date.parse(time) - clock.now().getTime());
  goTo('2027-12-02T07:00:00Z');
  const kernel = await openCommands(t, home);
  const service = await openPushService(t, keys.publicKey, () => clock.now());
  const prepa = await createPrepa(home);
  const browserOf = async (hour: number, enrolled: boolean, blocked = false) => {
    const learner = await createLearner(home);
    if (enrolled) await createEnrolment(home, learner, prepa);
    if (blocked) await sql(databaseUrl, `update app_user set blocked_at = now(), blocked_reason = 'essai' where id = $1`, [learner.id]);
    const browser = service.browser();
    await sql(
      databaseUrl,
      `insert into push_subscription (user_id, endpoint, service, p256dh, auth, hour, created_at) values ($1, $2, $3, $4, $5, $6, now())`,
      [learner.id, browser.endpoint, new URL(browser.endpoint).host, browser.p256dh, browser.auth, hour],
    );
    return browser.endpoint;
  };
  const [evening, late] = [await browserOf(19, true), await browserOf(21, true)];
  await browserOf(19, false);
  await browserOf(19, true, true);
  // Saturday, 8:00 in Douala.
  const opening = Date.parse('2027-12-04T07:00:00Z');
  const opensIn = (opening - clock.now().getTime()) / minuteMs;
  const exam = await createAnnouncedExam(home, { titre: 'ENAM', prepa, opensIn });
  await createExam(home, { titre: 'Brouillon', prepa, opensIn });
  const send = async () => {
    service.messages.length = 0;
    await sendPushMessages(kernel.fork(), kernel.context, keys);
    return service.messages.map(({ browser, payload }) => [browser.endpoint, payload]);
  };
  t.same(await send(), [], 'two days before, nothing');
  goTo('2027-12-03T07:00:00Z');
  t.same(await send(), [], 'on the eve not before the hour');
  goTo('2027-12-03T18:10:00Z');
  t.match(await send(), [[evening, { title: 'Concours blanc « ENAM » demain à 8\u00a0h', url: `/user/concours-blancs/${exam.id}` }]]);
  goTo('2027-12-03T20:10:00Z');
  t.match(await send(), [[late, { title: /demain/ }]]);
  t.same(await send(), []);
  goTo('2027-12-04T05:50:00Z');
  t.same(await send(), []);
  goTo('2027-12-04T06:10:00Z');
  const runs = await Promise.all([1, 2].map(() => queueExamReminders(kernel.fork(), kernel.context)));
  t.same(runs.toSorted(), [0, 2], 'two runs at once queue each reminder once');
  t.same(
    (await send()).map(([, payload]) => (payload as { title: string }).title),
    Array(2).fill('Concours blanc « ENAM » à 8\u00a0h'),
  );
  // The opening was moved by a day: candidates are reminded of the new one.
  await sql(databaseUrl, `update exam set opens_at = opens_at + interval '1 day', closes_at = closes_at + interval '1 day'`);
  goTo('2027-12-05T06:10:00Z');
  t.equal((await send()).length, 2);
  goTo('2027-12-05T07:10:00Z');
  t.same(await send(), []);
});
