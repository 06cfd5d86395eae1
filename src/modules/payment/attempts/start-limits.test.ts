import t, { type Test } from 'tap';
import { call, submit, visit } from '../../../../test/support/app.ts';
import { createLearner, createPrepa } from '../../../../test/support/factories.ts';
import { openBothProviders } from '../../../../test/support/provider-apps.ts';
import { sql } from '../../../../test/support/sql.ts';

const minute = 60_000;

/** Opens the application with both providers, a learner and the given number of prepas. */
async function openShop(t: Test, env: Record<string, string> = {}) {
  const home = await openBothProviders(t, env);
  const { app, databaseUrl, learner, prepa } = home;
  return {
    ...home,
    start: (values: object = {}, { session } = learner) =>
      call(app, { method: 'POST', url: '/api/payment/start', session, payload: { prepaId: prepa.id, ...values } }),
    count: async () => (await sql<{ n: number }>(databaseUrl, 'select count(*)::int as n from payment'))[0]?.n,
    decide: () => sql(databaseUrl, `update payment set status = 'failed', next_check_at = null`),
  };
}

t.test('three open attempts: the latest is shown again, and no fourth begins', async (t) => {
  const { start, count, clock, learner, app, prepa } = await openShop(t);
  const references: string[] = [];
  for (const provider of ['notchpay', 'notchpay', 'zitopay']) {
    const answer = (await start({ provider, anotherAttempt: true })).json();
    references.push(answer.reference);
    clock.advance(minute);
  }
  t.equal(new Set(references).size, 3);
  for (const provider of ['zitopay', 'notchpay']) {
    const fourth = (await start({ provider, anotherAttempt: true })).json();
    t.match(fourth, { reference: references[2], widget: { options: { ref: references[2] } }, open: { mayBeginAnother: false } }, provider);
  }
  t.equal(await count(), 3);
  const form = await submit(
    app,
    '/api/payment/start',
    { prepaId: String(prepa.id), provider: 'notchpay', anotherAttempt: '1' },
    learner.session,
  );
  t.equal(form.headers.location, `/user/dashboard?paiement=${prepa.id}`);
  const { body } = await visit(app, String(form.headers.location), learner.session);
  t.match(body, 'Trois paiements sont déjà ouverts pour cette préparation.');
  t.notMatch(body, 'name="anotherAttempt"');
});

t.test('three open attempts, the latest with a used checkout address: no further attempt is opened', async (t) => {
  const { start, count, clock, notchpay } = await openShop(t);
  for (let begun = 0; begun < 3; begun += 1) {
    t.match((await start({ provider: 'notchpay', anotherAttempt: true })).json(), { redirectUrl: /^http/ });
    clock.advance(minute);
  }
  const ledger = await notchpay.control.ledger();
  const fourth = (await start({ provider: 'notchpay', anotherAttempt: true })).json();
  t.match(fourth, { provider: 'notchpay', open: { resumable: false, mayBeginAnother: false } });
  t.equal(fourth.redirectUrl, undefined);
  t.equal(await count(), 3);
  t.same(await notchpay.control.ledger(), ledger);
});

t.test('four clicks at once at a provider that redirects: three attempts at most', async (t) => {
  const { start, count } = await openShop(t);
  const answers = await Promise.all(Array.from({ length: 8 }, () => start({ provider: 'notchpay' })));
  t.ok(answers.every(({ statusCode }) => statusCode === 200));
  t.equal(await count(), 3);
});

t.test("a double click on 'Commencer un autre paiement' begins one attempt, if its checkout can be opened again", async (t) => {
  const { start, count, clock } = await openShop(t);
  await start({ provider: 'notchpay' });
  clock.advance(minute);
  const clicks = await Promise.all([
    start({ provider: 'zitopay', anotherAttempt: true }),
    start({ provider: 'zitopay', anotherAttempt: true }),
  ]);
  const [first, second] = clicks.map((answer) => answer.json());
  t.equal(first.reference, second.reference);
  t.equal(second.widget.options.ref, first.reference);
  t.equal(await count(), 2, 'a third attempt is still possible');
  clock.advance(minute);
  t.not(
    (await start({ provider: 'zitopay', anotherAttempt: true })).json().reference,
    first.reference,
    'a click a minute later begins a new attempt',
  );
});

t.test('after five new attempts in 10 minutes a 429 gives the time to wait, and open attempts can still be resumed', async (t) => {
  const { start, count, decide, clock, learner, app, prepa } = await openShop(t);
  for (let begun = 0; begun < 5; begun += 1) {
    await decide();
    t.equal((await start()).statusCode, 200);
    clock.advance(minute);
  }
  t.match((await start()).json(), { open: { mayBeginAnother: true } }, 'at the limit, the open attempt is returned');
  await decide();
  const refused = await start();
  t.equal(refused.statusCode, 429);
  t.equal(refused.headers['retry-after'], '300', 'the limit ends 10 minutes after the first attempt, which was begun 5 minutes ago');
  t.equal(refused.json().message, 'Vous avez commencé trop de paiements en peu de temps. Réessayez dans 5 min.');
  const page = await submit(app, '/api/payment/start', { prepaId: String(prepa.id) }, learner.session);
  t.equal(page.statusCode, 429);
  t.match(page.body, 'Réessayez dans 5 min.');
  t.equal(await count(), 5);
  clock.advance(5 * minute - 1);
  t.equal((await start()).statusCode, 429);
  clock.advance(1);
  t.equal((await start()).statusCode, 200);
});

t.test('the limit counts all prepas and concurrent starts, per learner, and is a setting', async (t) => {
  const home = await openShop(t, { PAYMENT_STARTS_PER_LEARNER: '2' });
  const { start } = home;
  const prepas = await Promise.all(Array.from({ length: 6 }, () => createPrepa(home)));
  const statusesOf = async (learner?: { session: string }) => {
    const answers = await Promise.all(prepas.map(({ id }) => start({ prepaId: id }, learner as never)));
    return answers.map(({ statusCode }) => statusCode).sort();
  };
  t.same(await statusesOf(), [200, 200, 429, 429, 429, 429]);
  t.same(await statusesOf(await createLearner(home)), [200, 200, 429, 429, 429, 429]);
});
