import type { Page } from 'playwright-core';
import t from 'tap';
import { startPayment } from '../../src/modules/payment/attempts/start.service.ts';
import type { Verification } from '../../src/modules/payment/contract/provider.ts';
import { settlePayment } from '../../src/modules/payment/index.ts';
import { providersOf } from '../../src/modules/payment/providers/provider.registry.ts';
import { createAdministrator, createLearner, createPrepa } from '../support/factories.ts';
import { presentAdministrator, shareSite } from '../support/journey.ts';
import { lookAt, type Open, post } from '../support/look.ts';

// The look of the payment pages of super administrators.

const site = await shareSite(t);
const look = lookAt(t, site);
const boss = await createAdministrator(site, 'super_admin');
const { kernel, clock } = site;

async function pay(answers: Verification[]): Promise<number> {
  const learner = await createLearner(site);
  await site.rows('update app_user set email = $2 where id = $1', [
    learner.id,
    `mme.ngo.bassong.adresse.longue.${learner.username}@gmail.com`,
  ]);
  const prepa = await createPrepa(site, { nom: 'Concours directs et professionnels de la fonction publique' });
  const verify = async () => answers.shift() ?? ({ kind: 'pending', raw: {} } as const);
  const providers = providersOf([{ ...kernel.providers.default, verify }]);
  const input = { learner, prepaId: prepa.id, origin: 'http://127.0.0.1:1' };
  const { payment } = await startPayment(kernel.fork(), kernel.context, providers, input);
  for (const _ of [...answers]) await settlePayment(kernel.fork(), kernel.context, providers, payment.id, 'reconciliation');
  return payment.id;
}
const raw = { status: 1, status_msg: 'COMPLETED', info: 'Paid', reference: 'x'.repeat(120) };
const paid: Verification = {
  kind: 'succeeded',
  amount: 15_000,
  currency: 'XAF',
  payerPhone: '699123456',
  providerTransactionId: 'trx.sim_abc',
  raw,
};
const settled = await pay([{ kind: 'not_found', raw: {} }, paid]);
await pay([{ kind: 'mismatch', raw: {} }]);
await pay([{ kind: 'failed', raw: {} }]);
await site.rows(
  `insert into payment (provider, reference, user_id, prepa_id, prepa_nom, amount, status, checks, created_at, updated_at, settled_at)
   select case g % 3 when 0 then 'notchpay' else 'zitopay' end, 'ZPT' || g, user_id, prepa_id, prepa_nom, 5000 * (1 + g % 7),
          case when g % 9 = 0 then 'refunded' else 'succeeded' end, 1, at, at, at
   from payment, generate_series(1, 60) g, lateral (select $2::timestamptz - g * interval '11 hours' as at) t where id = $1`,
  [settled, clock.now()],
);
await site.rows(
  `with returned as (
     update payment set refunded_amount = amount where status = 'refunded' returning id, amount, updated_at
   )
   insert into payment_event (payment_id, type, actor, from_status, to_status, returned, at)
   select id, 'transition', 'reconciliation', 'succeeded', 'refunded', amount, updated_at from returned`,
);

/** Opens a page as the super administrator, then runs `act` on it. */
const at =
  (path: string, act: (page: Page) => ReturnType<Open> = async () => null): Open =>
  async (page) => {
    await presentAdministrator(page, site, boss);
    const response = await page.goto(path);
    return (await act(page)) ?? response;
  };

look('payments, filtered', {}, at('/admin/paiements?prestataire=zitopay'));
look(
  'payment, a form refused',
  { allow: [/status of 400/] },
  at(`/admin/paiements/${settled}`, async (page) => {
    await page.getByText('Enregistrer un remboursement').click();
    return post(page, 'form[action$="/rembourser"]', { raison: 'payé deux fois' });
  }),
);
look('totals of payments', {}, at('/admin/paiements/totaux'));
