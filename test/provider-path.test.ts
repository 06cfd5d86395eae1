// Slow: it waits for providers that do not answer.
import t, { type Test } from 'tap';
import { HASH_KEY, startNotchpay } from '../simulators/notchpay/testing.ts';
import { startSimulator } from '../simulators/zitopay/testing.ts';
import { call, createTestApp } from './support/app.ts';
import { createLearner, createPrepa, type TestLearner } from './support/factories.ts';
import { createNetworkPath, type NetworkPath } from './support/network-path.ts';
import { seeded } from './support/random.ts';
import { sql } from './support/sql.ts';

// The network path to the payment providers fails in various ways. Learners always get a response that says what to do. After recovery each
// payment that is paid at a provider has opened its days exactly once, and no other payment has.

const slugs = ['zitopay', 'notchpay'] as const;
type Slug = (typeof slugs)[number];
interface Payer {
  slug: Slug;
  learner: TestLearner;
}

const startFailed = { message: "Erreur lors de l'initialisation du paiement" };
const timeoutMs = 300;
const learnersEach = 4;

async function openShop(t: Test, seed: number) {
  const [zitopay, notchpay] = [await startSimulator(t as never), await startNotchpay(t as never)];
  const paths = {
    zitopay: await createNetworkPath(t, zitopay.url, seeded(seed)),
    notchpay: await createNetworkPath(t, notchpay.url, seeded(seed + 1)),
  };
  const home = await createTestApp(t, {
    PAYMENT_PROVIDERS: slugs.join(','),
    // A high limit: the pause after repeated failures uses real time, which tests cannot advance.
    PAYMENT_PROVIDER_FAILURES: '100',
    ZITOPAY_BASE_URL: paths.zitopay.url,
    ZITOPAY_RECEIVER: 'prepa',
    ZITOPAY_TIMEOUT_MS: String(timeoutMs),
    NOTCHPAY_BASE_URL: paths.notchpay.url,
    NOTCHPAY_PUBLIC_KEY: 'pk_test_sim',
    NOTCHPAY_HASH_KEY: HASH_KEY,
    NOTCHPAY_TIMEOUT_MS: String(timeoutMs),
  });
  const prepa = await createPrepa(home);
  const payers: Payer[] = [];
  for (const slug of slugs) for (let count = 0; count < learnersEach; count += 1) payers.push({ slug, learner: await createLearner(home) });

  const post = ({ token }: TestLearner, url: string, payload: object) =>
    call(home.app, { method: 'POST', url, payload, headers: { authorization: `Bearer ${token}` } });

  /** Starts a payment and pays at the provider if that succeeded. Returns its reference, or the response that refused it. */
  async function pay({ slug, learner }: Payer) {
    const started = await post(learner, '/api/payment/start', { prepaId: prepa.id, provider: slug });
    if (started.statusCode !== 200) return { refused: started };
    const { reference, widget } = started.json();
    if (slug === 'zitopay') await zitopay.control.register(widget.options);
    await (slug === 'zitopay' ? zitopay : notchpay).control.approve(reference);
    return { reference: String(reference) };
  }

  return {
    paths,
    payers,
    pay,
    clock: home.clock,
    /** Returns the status as the learner's page gets it. */
    ask: ({ learner }: Payer, reference: string) => post(learner, '/api/payment/process', { transactionReference: reference }),
    /** Returns the references of payments that are paid at the providers. */
    paid: async () => [
      ...(await zitopay.control.ledger()).filter(({ status }) => status === 'COMPLETED').map(({ ref }) => ref),
      ...(await notchpay.control.ledger()).filter(({ status }) => status === 'complete').map(({ ref }) => ref),
    ],
    /** Returns the payments that have opened days, one row per opening. */
    opened: () =>
      sql<{ reference: string; days: number }>(
        home.databaseUrl,
        `select p.reference, extract(epoch from e.date_expiration - e.date_inscription) / 86400 as days
         from enrolment_extension x join payment p on p.id = x.payment_id join enrolment e on e.id = x.enrolment_id`,
      ),
  };
}

const disturbances: { name: string; disturb(path: NetworkPath): void }[] = [
  { name: 'half-open', disturb: (path) => path.cut() },
  { name: 'pieces lost', disturb: (path) => path.setConditions({ silent: 0.5 }) },
  { name: 'connections reset', disturb: (path) => path.setConditions({ reset: 0.6 }) },
  { name: 'slower than is waited for', disturb: (path) => path.setConditions({ delayMs: [timeoutMs / 2, timeoutMs] }) },
];

for (const [index, { name, disturb }] of disturbances.entries()) {
  t.test(name, async (t) => {
    const { paths, payers, pay, ask, clock, paid, opened } = await openShop(t, 1_000 + index);
    for (const slug of slugs) disturb(paths[slug]);
    const attempts = await Promise.all(
      payers.map(async (payer) => {
        const { reference, refused } = await pay(payer);
        return { payer, reference, refused, asked: reference === undefined ? null : await ask(payer, reference) };
      }),
    );
    for (const { refused, asked } of attempts) {
      if (refused) t.same([refused.statusCode, refused.json()], [502, startFailed]);
      if (asked) t.match([asked.statusCode, asked.json().status], [200, /^(success|pending)$/]);
    }
    t.ok(
      attempts.some(({ asked }) => asked?.json().status !== 'success'),
      'at least one attempt was disturbed',
    );

    for (const slug of slugs) {
      paths[slug].restore();
      paths[slug].setConditions({});
    }
    for (const { payer, ...first } of attempts) {
      let { reference } = first;
      let status = '';
      // The broken connections must first be given up.
      for (let tries = 0; status !== 'success' && tries < 10; tries += 1) {
        clock.advance(60_000);
        reference ??= (await pay(payer)).reference;
        if (reference !== undefined) status = (await ask(payer, reference)).json().status;
      }
      t.equal(status, 'success', `${payer.slug}: the access is open in the end`);
    }
    const openedReferences = (await opened()).map(({ reference }) => reference);
    t.same(openedReferences.toSorted(), (await paid()).toSorted(), 'each payment that was made has opened days once');
    t.equal(openedReferences.length, payers.length, 'no payer has paid twice');
    for (const { reference, days } of await opened()) t.equal(Number(days), 30, reference);
  });
}
