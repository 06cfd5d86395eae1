import t, { type Test } from 'tap';
import { TestClock } from '../../../../test/support/app.ts';
import { createTestDatabase } from '../../../../test/support/database.ts';
import { createEnrolment, createLearner, createPayment, createPrepa } from '../../../../test/support/factories.ts';
import { sql } from '../../../../test/support/sql.ts';
import { loadConfig } from '../../../config.ts';
import { createKernel } from '../../../kernel.ts';
import { grantEnrolment } from '../index.ts';

const day = 24 * 3_600_000;

interface EnrolmentState {
  statut: string;
  date_inscription: Date;
  date_expiration: Date;
}

const { url: databaseUrl } = await createTestDatabase(t);
const clock = new TestClock(new Date('2026-11-21T08:30:00Z'));

async function openHome(t: Test) {
  const kernel = await createKernel(loadConfig({ NODE_ENV: 'test', LOG_LEVEL: 'silent' }), { databaseUrl, clock });
  t.teardown(() => kernel.close());
  const home = { kernel, clock };
  const learner = await createLearner(home);
  const prepa = await createPrepa(home);
  return {
    ...home,
    learner,
    prepa,
    grant: () => grantEnrolment(kernel.fork(), kernel.context, { email: learner.email, prepaId: prepa.id, reason: 'geste commercial' }),
    settle: (paymentId: number) =>
      kernel.fork().transactional((em) =>
        kernel.events.emit(em, kernel.context, 'payment.settled', {
          paymentId,
          userId: learner.id,
          prepaId: prepa.id,
          prepaNom: prepa.nom,
          amount: prepa.prix,
          at: clock.now(),
        }),
      ),
    enrolments: () =>
      sql<EnrolmentState>(
        databaseUrl,
        'select statut, date_inscription, date_expiration from enrolment where user_id = $1 order by prepa_id',
        [learner.id],
      ),
    extensions: () =>
      sql(
        databaseUrl,
        `select x.payment_id, x.days, x.source, x.reason, x.expires_before, x.expires_after from enrolment_extension x
         join enrolment e on e.id = x.enrolment_id where e.user_id = $1 order by x.id`,
        [learner.id],
      ),
    messages: async () =>
      (await sql<{ message: string }>(databaseUrl, 'select message from notification where user_id = $1 order by id', [learner.id])).map(
        ({ message }) => message,
      ),
  };
}

const after = (start: Date, days: number) => new Date(start.getTime() + days * day);

t.test('a new enrolment lasts 30 times 24 hours from now', async (t) => {
  const { grant, enrolments, extensions, messages, prepa } = await openHome(t);
  const start = clock.now();
  await grant();
  t.same(await enrolments(), [{ statut: 'active', date_inscription: start, date_expiration: after(start, 30) }]);
  t.same(await extensions(), [
    { payment_id: null, days: 30, source: 'grant', reason: 'geste commercial', expires_before: null, expires_after: after(start, 30) },
  ]);
  t.same(await messages(), [
    `Votre inscription à <a href="/user/prepa/${prepa.id}"><strong>${prepa.nom}</strong></a> est confirmée : vous y avez accès jusqu'au 21 décembre 2026.`,
  ]);
});

t.test('an enrolment renewed two days before its end gains 30 days and keeps its start', async (t) => {
  const { grant, enrolments, extensions, messages, prepa } = await openHome(t);
  const start = clock.now();
  await grant();
  clock.advance(28 * day);
  await grant();
  t.same(
    await enrolments(),
    [{ statut: 'active', date_inscription: start, date_expiration: after(start, 60) }],
    'a learner has one enrolment per prepa',
  );
  t.same(
    (await extensions()).map(({ expires_before, expires_after }) => [expires_before, expires_after]),
    [
      [null, after(start, 30)],
      [after(start, 30), after(start, 60)],
    ],
  );
  t.match((await messages())[1], `Votre inscription à <a href="/user/prepa/${prepa.id}"><strong>${prepa.nom}</strong></a> est renouvelée`);
});

t.test('after its end it starts again now, marked by the nightly run or not', async (t) => {
  for (const statut of ['active', 'expired'] as const) {
    const { grant, enrolments, extensions, messages, ...home } = await openHome(t);
    await createEnrolment(home, home.learner, home.prepa, -1, statut);
    const start = clock.now();
    await grant();
    t.same(await enrolments(), [{ statut: 'active', date_inscription: start, date_expiration: after(start, 30) }], statut);
    t.match(await extensions(), [{ expires_before: null }]);
    t.match((await messages())[0], 'est confirmée', 'the message announces an enrolment, not a renewal');
  }
});

t.test('exactly at the end, a new period starts', async (t) => {
  const { grant, enrolments, ...home } = await openHome(t);
  await createEnrolment(home, home.learner, home.prepa, 0);
  await grant();
  t.same(await enrolments(), [{ statut: 'active', date_inscription: clock.now(), date_expiration: after(clock.now(), 30) }]);
});

t.test('a cancelled enrolment opens again from now, regardless of its earlier end', async (t) => {
  const { grant, enrolments, ...home } = await openHome(t);
  await createEnrolment(home, home.learner, home.prepa, 12, 'cancelled');
  await grant();
  t.same(await enrolments(), [{ statut: 'active', date_inscription: clock.now(), date_expiration: after(clock.now(), 30) }]);
});

t.test('a settled payment opens 30 days once, and settling it again is rolled back entirely', async (t) => {
  const { settle, enrolments, extensions, messages, ...home } = await openHome(t);
  const payment = await createPayment(home, home.learner, home.prepa, 'succeeded');
  const start = clock.now();
  await settle(payment.id);
  t.match(await extensions(), [{ payment_id: payment.id, source: 'payment', reason: null }]);
  await t.rejects(settle(payment.id), /enrolment_extension_payment_unique/);
  t.same(await enrolments(), [{ statut: 'active', date_inscription: start, date_expiration: after(start, 30) }]);
  t.equal((await messages()).length, 1);
});

t.test('concurrent payments and a grant, on a new and a running enrolment: each adds its days', async (t) => {
  for (const days of [0, 12]) {
    const { settle, grant, enrolments, extensions, ...home } = await openHome(t);
    if (days > 0) await createEnrolment(home, home.learner, home.prepa, days);
    const payments = await Promise.all(Array.from({ length: 5 }, () => createPayment(home, home.learner, home.prepa, 'succeeded')));
    await Promise.all([...payments.map(({ id }) => settle(id)), grant()]);
    t.same(
      (await enrolments()).map(({ statut, date_expiration }) => [statut, date_expiration]),
      [['active', after(clock.now(), days + 180)]],
    );
    t.equal((await extensions()).length, 6);
  }
});

t.test('a second extension builds on the result of a concurrent first one', async (t) => {
  const { kernel, grant, enrolments, ...home } = await openHome(t);
  await createEnrolment({ ...home, kernel }, home.learner, home.prepa, 12);
  // Both extensions are blocked before either one writes.
  const holder = kernel.fork();
  await holder.begin();
  await holder.execute('lock table enrolment_extension in exclusive mode');
  const both = Promise.all([grant(), grant()]);
  const waiting = `select count(*)::int as n from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
  while ((await sql<{ n: number }>(databaseUrl, waiting))[0]?.n !== 2);
  await holder.rollback();
  await both;
  t.same(
    (await enrolments()).map((row) => row.date_expiration),
    [after(clock.now(), 72)],
  );
});

t.test('a failing event handler rolls the extension back', async (t) => {
  const { kernel, grant, settle, enrolments, extensions, messages, ...home } = await openHome(t);
  const seen: unknown[] = [];
  kernel.events.on('enrolment.extended', async (_em, extension) => {
    seen.push(extension);
    throw new Error('non');
  });
  const payment = await createPayment({ ...home, kernel }, home.learner, home.prepa, 'succeeded');
  await t.rejects(grant(), /non/);
  await t.rejects(settle(payment.id), /non/);
  t.match(seen, [
    { userId: home.learner.id, prepaId: home.prepa.id, prepaNom: home.prepa.nom, renewed: false, source: 'grant', at: clock.now() },
    { source: 'payment' },
  ]);
  t.same([await enrolments(), await extensions(), await messages()], [[], [], []]);
});

t.test('an unknown e-mail, an unknown prepa', async (t) => {
  const { kernel, learner, prepa } = await openHome(t);
  const grant = (email: string, prepaId: number) => grantEnrolment(kernel.fork(), kernel.context, { email, prepaId, reason: 'essai' });
  await t.rejects(grant('personne@gmail.com', prepa.id), { status: 404, message: "Aucun compte n'a cette adresse électronique." });
  await t.rejects(grant(learner.email, 2_000_000_000), { status: 404, message: "Cette préparation n'existe pas." });
  await t.resolves(grant(learner.email.toUpperCase(), prepa.id), 'the e-mail is found ignoring case');
});
