import t from 'tap';
import { startSimulator } from '../../../../simulators/zitopay/testing.ts';
import { call, createTestApp, visit } from '../../../../test/support/app.ts';
import { createDiscipline, createEnrolment, createLearner, createPayment, createPrepa } from '../../../../test/support/factories.ts';
import { sql } from '../../../../test/support/sql.ts';
import { startPayment } from '../../payment/attempts/start.service.ts';
import { pointsPerMinute } from '../../payment/index.ts';

const day = 24 * 3_600_000;
const simulator = await startSimulator(t as never);
const home = await createTestApp(t, { ZITOPAY_BASE_URL: simulator.url, ZITOPAY_RECEIVER: 'prepa' });
const { app, clock, kernel, databaseUrl } = home;

t.test('a learner sees only their own enrolments', async (t) => {
  const [learner, stranger] = [await createLearner(home), await createLearner(home)];
  const [running, ended, cancelled] = [await createPrepa(home), await createPrepa(home), await createPrepa(home)];
  const end = (days: number) => new Date(clock.now().getTime() + days * day).toISOString();
  const ids = [
    await createEnrolment(home, learner, running, 12),
    // Still marked active: the nightly run has not come yet.
    await createEnrolment(home, learner, ended, -2),
    await createEnrolment(home, learner, cancelled, 5, 'cancelled'),
  ];
  await createEnrolment(home, stranger, running, 20);
  for (const url of ['/inscriptions/user/inscriptions', '/inscriptions/check-and-update', '/api/inscriptions/user/inscriptions']) {
    const answer = await call(app, { url, session: learner.session });
    t.equal(answer.statusCode, 200, url);
    t.same(
      answer.json().toSorted((a: { id: number }, b: { id: number }) => a.id - b.id),
      [
        {
          id: ids[0],
          prepa_id: running.id,
          prepa_nom: running.nom,
          statut: 'active',
          date_inscription: end(-18),
          date_expiration: end(12),
        },
        { id: ids[1], prepa_id: ended.id, prepa_nom: ended.nom, statut: 'expired', date_inscription: end(-32), date_expiration: end(-2) },
        {
          id: ids[2],
          prepa_id: cancelled.id,
          prepa_nom: cancelled.nom,
          statut: 'cancelled',
          date_inscription: end(-25),
          date_expiration: end(5),
        },
      ],
    );
  }
  const bearer = await app.inject({ url: '/inscriptions/user/inscriptions', headers: { authorization: `Bearer ${stranger.token}` } });
  t.match(bearer.json(), [{ prepa_id: running.id }]);
  t.same((await call(app, { url: '/inscriptions/check-and-update', session: (await createLearner(home)).session })).json(), []);
});

t.test("a deleted prepa's enrolment keeps its name", async (t) => {
  const learner = await createLearner(home);
  const prepa = await createPrepa(home, { nom: 'ENS Maroua' });
  await createEnrolment(home, learner, prepa);
  await sql(databaseUrl, 'delete from prepa where id = $1', [prepa.id]);
  const answer = await call(app, { url: '/inscriptions/user/inscriptions', session: learner.session });
  t.match(answer.json(), [{ prepa_id: null, prepa_nom: 'ENS Maroua' }]);
});

t.test('a renamed prepa is shown with its new name', async (t) => {
  const learner = await createLearner(home);
  const prepa = await createPrepa(home);
  await createEnrolment(home, learner, prepa);
  await sql(databaseUrl, `update prepa set nom = 'Nouveau nom' where id = $1`, [prepa.id]);
  const answer = await call(app, { url: '/inscriptions/user/inscriptions', session: learner.session });
  t.match(answer.json(), [{ prepa_nom: 'Nouveau nom' }]);
});

t.test('confirm: only enrolments covered by a verified payment of this learner', async (t) => {
  const [learner, stranger] = [await createLearner(home), await createLearner(home)];
  const prepa = await createPrepa(home);
  const confirm = async (session: string, url = '/inscriptions/confirm') => {
    const answer = await call(app, { method: 'POST', url, session, payload: { prepaId: prepa.id } });
    t.equal(answer.statusCode, 200);
    return answer.json();
  };
  t.same(await confirm(learner.session), {
    status: 'failed',
    message: "Erreur lors de la confirmation de l'inscription. Veuillez contacter le support.",
  });

  const input = { learner, prepaId: prepa.id, origin: 'http://127.0.0.1:1' };
  const { payment, checkout } = await startPayment(kernel.fork(), kernel.context, kernel.providers, input);
  if (checkout.kind !== 'widget') throw new Error('a widget');
  await simulator.control.register(checkout.options as never);
  t.same(await confirm(learner.session), { status: 'pending', message: 'Votre paiement est en cours de vérification.' });

  await simulator.control.decline(payment.reference);
  t.same(await confirm(learner.session), { status: 'failed', message: 'Paiement échoué ou annulé' });

  await simulator.control.approve(payment.reference);
  const confirmed = await confirm(learner.session);
  t.match(confirmed, { status: 'success', inscription: { prepa_id: prepa.id, prepa_nom: prepa.nom, statut: 'active' } });
  t.equal(confirmed.inscription.date_expiration, new Date(clock.now().getTime() + 30 * day).toISOString());
  t.same(await confirm(learner.session, '/api/inscriptions/confirm'), confirmed, 'a second call adds no days');
  t.match(await confirm(stranger.session), { status: 'failed' }, 'the payment of another learner is not counted');
});

t.test('the request limit of a learner refuses the call and the page, with the time to wait', async (t) => {
  const learner = await createLearner(home);
  const prepa = await createPrepa(home);
  const ask = () => call(app, { method: 'POST', url: '/inscriptions/confirm', session: learner.session, payload: { prepaId: prepa.id } });
  for (let asked = 0; asked < pointsPerMinute.learner; asked += 1) await ask();
  const refused = await ask();
  t.equal(refused.statusCode, 429);
  t.match(refused.json(), { message: /^Trop de / });
  t.equal(
    (await call(app, { method: 'POST', url: '/api/inscriptions/confirm', session: learner.session, payload: { prepaId: prepa.id } }))
      .statusCode,
    429,
  );
  const page = await visit(app, `/user/dashboard/success/${prepa.id}`, learner.session);
  t.equal(page.statusCode, 429);
  t.ok(page.headers['retry-after']);
});

t.test('confirm: access granted by an operator is not a payment, and a stored success is not checked again', async (t) => {
  const learner = await createLearner(home);
  const prepa = await createPrepa(home);
  await createEnrolment(home, learner, prepa);
  const confirm = () =>
    call(app, { method: 'POST', url: '/inscriptions/confirm', session: learner.session, payload: { prepaId: prepa.id } });
  t.match((await confirm()).json(), { status: 'failed' });
  await createPayment(home, learner, prepa, 'succeeded');
  t.match((await confirm()).json(), { status: 'success', inscription: { statut: 'active' } });
});

t.test('the list has its own refusal without a session, and reports an ended session', async (t) => {
  const requests = [
    { url: '/inscriptions/user/inscriptions' },
    { url: '/inscriptions/check-and-update' },
    { method: 'POST', url: '/inscriptions/confirm', payload: { prepaId: 1 } },
  ] as const;
  for (const request of requests) {
    const visitor = await call(app, request);
    t.equal(visitor.statusCode, 401);
    t.same(visitor.json(), { message: 'Veuillez vous connecter pour accéder à vos préparations.' });
    const ended = await call(app, { ...request, session: 'userToken=fini' });
    t.equal(ended.statusCode, 401);
    t.match(ended.json(), { expired: true });
    t.notOk(
      ended.cookies.some(({ name }) => name === 'userToken'),
      'a call does not clear the cookie, since another tab may have a new one',
    );
  }
  const page = await visit(app, '/login', 'userToken=fini');
  t.equal(page.cookies.find(({ name }) => name === 'userToken')?.value, '', 'the sign-in page clears the cookie');
});

t.test('an unpublished prepa is a 404, except for enrolled learners until their access ends', async (t) => {
  const [enrolled, stranger] = [await createLearner(home), await createLearner(home)];
  const prepa = await createPrepa(home, { isPublished: false });
  const discipline = await createDiscipline(home, prepa.id);
  await createEnrolment(home, enrolled, prepa, 1);
  for (const url of [`/prepas/${prepa.id}`, `/disciplines/${discipline.id}`, `/disciplines-user/prepa/${prepa.id}`]) {
    for (const prefix of ['', '/api']) {
      const status = async (session?: string) => (await call(app, { url: prefix + url, ...(session ? { session } : {}) })).statusCode;
      t.equal(await status(), 404, `${url}, visitor`);
      t.equal(await status(stranger.session), 404, `${url}, learner`);
      t.equal(await status(enrolled.session), 200, `${url}, enrolled`);
    }
  }
  clock.advance(day);
  t.equal(
    (await call(app, { url: `/prepas/${prepa.id}`, session: enrolled.session })).statusCode,
    404,
    'the prepa is not found after the end of the access',
  );
});
