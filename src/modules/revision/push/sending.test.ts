import t, { type Test } from 'tap';
import { createTestApp, openCommands } from '../../../../test/support/app.ts';
import { createDiscipline, createItem, createPrepa } from '../../../../test/support/factories.ts';
import { openPushService, type PushService, type TestBrowser } from '../../../../test/support/push-service.ts';
import { numberQuestion } from '../../../../test/support/questions.ts';
import { sql } from '../../../../test/support/sql.ts';
import { announceEnds, grantEnrolment } from '../../enrolment/index.ts';
import { createVapidKeys } from './protocol/vapid.ts';
import { sendPushMessages } from './sending.ts';

const keys = { ...createVapidKeys(), subject: 'mailto:support@prepa.example' };
/** A quarter past seven in the evening in Douala. */
const evening = new Date('2026-11-30T18:15:00Z');

/** Creates an empty site at `evening`, with a prepa that asks a question. */
async function world(t: Test) {
  const home = await createTestApp(t);
  home.clock.advance(evening.getTime() - home.clock.now().getTime());
  const prepa = await createPrepa(home);
  const discipline = await createDiscipline(home, prepa.id);
  await createItem(home, discipline.id, { contenu: numberQuestion('pushquestion', '4') });
  const kernel = await openCommands(t, home);
  const query = <Row = Record<string, unknown>>(text: string, values?: unknown[]) => sql<Row>(home.databaseUrl, text, values);
  let made = 0;
  return {
    home,
    prepa,
    kernel,
    query,
    service: (test: Pick<Test, 'teardown'> = t) => openPushService(test, keys.publicKey, () => home.clock.now()),
    /** Creates a learner with access for some days and a subscribed browser. */
    async learner(service: PushService, { hour = 19, days = 20 }: { hour?: number; days?: number | null } = {}) {
      made += 1;
      const email = `rappel${made}@gmail.com`;
      const [{ id } = { id: '' }] = await query<{ id: string }>(
        `insert into app_user (id, username, email, password_hash, created_at) values (gen_random_uuid(), $1, $2, 'unusable', now()) returning id`,
        [`rappel${made}`, email],
      );
      if (days !== null)
        await query(
          `insert into enrolment (user_id, prepa_id, prepa_nom, statut, date_inscription, date_expiration)
           values ($1, $2, $3, 'active', $4, $4::timestamptz + $5 * interval '1 day')`,
          [id, prepa.id, prepa.nom, evening, days],
        );
      const browser = service.browser();
      await subscribed(id, browser, hour);
      return { id, email, browser };
    },
    subscribed,
    send: (options: { timeoutMs?: number } = {}) => sendPushMessages(kernel.fork(), kernel.context, keys, options),
  };
  async function subscribed(userId: string, { endpoint, p256dh, auth }: TestBrowser, hour: number) {
    await query(
      `insert into push_subscription (user_id, endpoint, service, p256dh, auth, hour, created_at) values ($1, $2, $3, $4, $5, $6, now())`,
      [userId, endpoint, new URL(endpoint).host, p256dh, auth, hour],
    );
  }
}

const reached = ({ messages }: PushService) => messages.map(({ browser }) => browser.endpoint).sort();
const endpoints = (...of: { browser: TestBrowser }[]) => of.map(({ browser }) => browser.endpoint).sort();

t.test('at their hour, learners with access whose session is not finished are reminded once a day', async (t) => {
  const site = await world(t);
  const service = await site.service();
  const now = await site.learner(service);
  const earlier = await site.learner(service, { hour: 17 });
  await site.learner(service, { hour: 20 });
  await site.learner(service, { hour: 15 });
  await site.learner(service, { days: null });
  await site.learner(service, { days: -1 });
  const done = await site.learner(service);
  const begun = await site.learner(service);
  const blocked = await site.learner(service);
  await site.query('update app_user set blocked_at = now() where id = $1', [blocked.id]);
  for (const [{ id }, finished] of [
    [done, evening],
    [begun, null],
  ] as const)
    await site.query(
      `insert into daily_session (id, user_id, prepa_id, day, part, asked, started_at, finished_at) values (gen_random_uuid(), $1, $2, '2026-11-30', 1, '[]', $3, $4)`,
      [id, site.prepa.id, evening, finished],
    );
  t.match(await site.send(), { queued: 3, sent: 3, gone: 0, refused: 0, rejected: 0, unknown: 0 });
  t.same(service.faults, []);
  t.same(reached(service), endpoints(now, earlier, begun));
  const [message] = service.messages;
  t.match(message?.payload, { title: 'Séance du jour', url: '/user/seance', tag: 'seance' });
  t.match(message?.headers, { topic: 'seance', 'content-encoding': 'aes128gcm' });
  const ttl = Number(service.messages.find(({ browser }) => browser === now.browser)?.headers.ttl);
  t.ok(ttl > 0 && ttl <= 3 * 3_600, `kept by the service for ${ttl} s`);

  t.match(await site.send(), { queued: 0, sent: 0 }, 'a repeat sends nothing');
  site.home.clock.advance(86_400_000);
  t.match(await site.send(), { queued: 4, sent: 4 }, 'the next day, also those who had finished');
});

t.test('a message that a service refuses is sent at the next run, unless the session was finished meanwhile', async (t) => {
  const site = await world(t);
  const service = await site.service();
  const [one, other] = [await site.learner(service), await site.learner(service)];
  service.answer(503);
  t.match(await site.send(), { queued: 2, sent: 0, refused: 2 });
  await site.query(
    `insert into daily_session (id, user_id, prepa_id, day, part, asked, started_at, finished_at) values (gen_random_uuid(), $1, $2, '2026-11-30', 1, '[]', $3, $3)`,
    [other.id, site.prepa.id, evening],
  );
  service.answer(201);
  t.match(await site.send(), { sent: 0 }, 'not before the next run');
  site.home.clock.advance(15 * 60_000);
  t.match(await site.send(), { queued: 0, sent: 1 });
  t.same(reached(service), endpoints(one));
  site.home.clock.advance(4 * 3_600_000);
  await site.send();
  t.same(await site.query('select id from push_message'), [], 'expired messages are removed');
});

t.test('404 and 410 remove the subscription; other refusals only the message', async (t) => {
  const site = await world(t);
  const service = await site.service();
  const [gone, missing, refused, fine] = [
    await site.learner(service),
    await site.learner(service),
    await site.learner(service),
    await site.learner(service),
  ];
  service.answer(410, gone.browser);
  service.answer(404, missing.browser);
  service.answer(413, refused.browser);
  t.match(await site.send(), { sent: 1, gone: 2, rejected: 1 });
  const left = await site.query<{ endpoint: string }>('select endpoint from push_subscription');
  t.same(left.map(({ endpoint }) => endpoint).sort(), endpoints(refused, fine));
  t.same(await site.query('select id from push_message'), []);
});

t.test('a service that is silent, one that is closed and one that breaks off delay nobody else', async (t) => {
  const site = await world(t);
  const [healthy, silent, closed, broken] = [await site.service(), await site.service(), await site.service(), await site.service()];
  const reachable = [];
  // The service with most messages is the first.
  await site.learner(silent);
  for (let index = 0; index < 60; index += 1) {
    reachable.push(await site.learner(healthy));
    await site.learner(silent);
    await site.learner(closed);
    await site.learner(broken);
  }
  silent.answer('silence');
  broken.answer('reset');
  closed.close();
  const sending = site.send({ timeoutMs: 1_500 });
  await healthy.received(60);
  t.ok(silent.requests() < 3, 'the others wait for nobody');
  const counts = await sending;
  t.match(counts, { queued: 241, sent: 60 });
  t.same(reached(healthy), endpoints(...reachable));
  t.ok(silent.requests() <= 3 && broken.requests() <= 3, 'a service without success is left alone');
  const [{ waiting } = { waiting: 0 }] = await site.query<{ waiting: number }>(
    'select count(*)::int as waiting from push_message where claimed_at is null',
  );
  t.equal(waiting, 181 - counts.unknown, 'what a service cannot have waits for the next run');
  // The services work again: the messages that they may have got are not repeated.
  silent.answer(201);
  broken.answer(201);
  site.home.clock.advance(15 * 60_000);
  t.match(await site.send(), { queued: 0, sent: 121 - counts.unknown });
  for (const service of [silent, broken]) t.equal(new Set(reached(service)).size, service.messages.length, 'none twice');
});

t.test('several runs at once send each message once', async (t) => {
  const site = await world(t);
  const service = await site.service();
  const all = [];
  for (let index = 0; index < 130; index += 1) all.push(await site.learner(service));
  const runs = await Promise.all([site.send(), site.send(), site.send()]);
  t.equal(
    runs.reduce((sum, { sent }) => sum + sent, 0),
    130,
  );
  t.same(reached(service), endpoints(...all));
});

t.test("ends of access at the learner's hour, not after a renewal; a confirmed payment at once", async (t) => {
  const site = await world(t);
  const { kernel, home } = site;
  const service = await site.service();
  const soon = await site.learner(service, { days: 3, hour: 20 });
  const renewed = await site.learner(service, { days: 3, hour: 20 });
  await announceEnds(kernel.fork(), kernel.context);
  t.match(await site.send(), { sent: 0 }, 'not before 20:00');
  await grantEnrolment(kernel.fork(), kernel.context, { email: renewed.email, prepaId: site.prepa.id, reason: 'essai' });
  home.clock.advance(3_600_000);
  await site.send();
  const told = service.messages.filter(({ payload }) => payload.tag.startsWith('fin-'));
  t.same(
    told.map(({ browser }) => browser.endpoint),
    endpoints(soon),
  );
  t.match(told[0]?.payload, { title: 'Votre accès prend bientôt fin', url: `/user/dashboard?paiement=${site.prepa.id}` });
  t.match(told[0]?.payload.body, "accès jusqu'au 3 décembre 2026");

  await kernel.fork().transactional((tx) =>
    kernel.events.emit(tx, kernel.context, 'enrolment.extended', {
      enrolmentId: 7,
      userId: soon.id,
      prepaId: site.prepa.id,
      prepaNom: site.prepa.nom,
      dateExpiration: new Date('2027-01-02T12:00:00Z'),
      renewed: true,
      source: 'payment',
      at: home.clock.now(),
    }),
  );
  await site.send();
  t.match(service.messages.at(-1)?.payload, { title: 'Paiement confirmé', tag: 'paiement-7', url: `/user/prepa/${site.prepa.id}` });
});
