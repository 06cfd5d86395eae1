import { parseHTML } from 'linkedom';
import t, { type Test } from 'tap';
import { call, submit, visit } from '../../../../test/support/app.ts';
import { assertValidHtml } from '../../../../test/support/page-checks.ts';
import { openBothProviders } from '../../../../test/support/provider-apps.ts';
import { sql } from '../../../../test/support/sql.ts';
import { dayMs, formatDate } from '../../../shared/dates.ts';

const minute = 60_000;

/** Opens the application with both providers, one prepa and one learner. */
async function openShop(t: Test) {
  const home = await openBothProviders(t);
  const { app, databaseUrl, learner, prepa, zitopay } = home;
  return {
    ...home,
    start: async (values: object) => {
      const payload = { prepaId: prepa.id, ...values };
      const answer = await call(app, { method: 'POST', url: '/api/payment/start', session: learner.session, payload });
      const body = answer.json();
      if (body.widget) await zitopay.control.register(body.widget.options).catch(() => {});
      return { status: answer.statusCode, ...body };
    },
    form: (fields: Record<string, string>) =>
      submit(app, '/api/payment/start', { prepaId: String(prepa.id), ...fields }, learner.session).then(({ headers }) =>
        String(headers.location),
      ),
    dashboard: async (query = '') => {
      const { body, statusCode } = await visit(app, `/user/dashboard${query}`, learner.session);
      const { document } = parseHTML(body);
      const textOf = (selector: string) => (document.querySelector(selector)?.textContent ?? '').replaceAll(/\s+/g, ' ').trim();
      return { statusCode, html: body, document, textOf };
    },
    attempts: () => sql<{ provider: string; status: string }>(databaseUrl, 'select provider, status from payment order by id'),
  };
}

t.test('begun with one provider, another one chosen: the open attempt is returned first, and a further attempt is optional', async (t) => {
  const { start, attempts, notchpay, clock } = await openShop(t);
  const first = await start({ provider: 'zitopay' });
  t.equal(first.open, undefined, 'no attempt was open before the first start');
  clock.advance(minute);
  const second = await start({ provider: 'notchpay' });
  t.match(second, { status: 200, reference: first.reference, provider: 'zitopay', widget: { options: { ref: first.reference } } });
  t.match(second.open, {
    reference: first.reference,
    provider: 'zitopay',
    label: 'ZitoPay (carte, Mobile Money)',
    montant: '15 000 XAF',
    resumable: true,
    begun: / à \d\d:\d\d$/,
  });
  t.same(await attempts(), [{ provider: 'zitopay', status: 'pending' }]);
  t.same(await notchpay.control.ledger(), [], 'the other provider got no request');

  const third = await start({ provider: 'notchpay', anotherAttempt: true });
  t.match(third, { status: 200, provider: 'notchpay', redirectUrl: /^http/ });
  clock.advance(minute);
  const fourth = await start({ provider: 'zitopay' });
  t.match(fourth, { status: 200, reference: third.reference, open: { provider: 'notchpay', resumable: false } });
  t.equal(fourth.redirectUrl, undefined, 'an attempt with a one-time checkout address can be verified but not resumed');
  t.equal((await attempts()).length, 2);
});

t.test('hours later, at another price: the open attempt is still returned first', async (t) => {
  const { start, prepa, databaseUrl, clock } = await openShop(t);
  const first = await start({});
  await sql(databaseUrl, 'update prepa set prix = 17000 where id = $1', [prepa.id]);
  clock.advance(30 * 60 * minute);
  t.match(await start({}), { reference: first.reference, amount: 15_000, open: { montant: '15 000 XAF' } });
  t.match(await start({ anotherAttempt: true }), { amount: 17_000, open: undefined });
});

t.test('before a learner is sent to another provider, even a recent attempt is verified at the first provider', async (t) => {
  const { start, zitopay, attempts } = await openShop(t);
  const { reference } = await start({ provider: 'zitopay' });
  await zitopay.control.approve(reference);
  const answer = await start({ provider: 'notchpay', anotherAttempt: true });
  t.match(answer, { status: 409, message: /^Votre paiement vient d'être confirmé\./ });
  t.match(await attempts(), [{ status: 'succeeded' }]);
});

t.test('declined meanwhile: no attempt is open, and a new one begins', async (t) => {
  const { start, zitopay, clock } = await openShop(t);
  const { reference } = await start({ provider: 'zitopay' });
  await zitopay.control.decline(reference);
  clock.advance(minute);
  t.match(await start({ provider: 'notchpay' }), { provider: 'notchpay', redirectUrl: /^http/, open: undefined });
});

for (const providers of [
  ['zitopay', 'notchpay'],
  ['notchpay', 'zitopay'],
]) {
  t.test(`two tabs at the same time, ${providers.join(' and ')}: one attempt, which the second tab shows too`, async (t) => {
    const { start, attempts, clock } = await openShop(t);
    for (let round = 0; round < 3; round += 1) {
      const both = await Promise.all(providers.map((provider) => start({ provider })));
      t.equal(new Set(both.map(({ reference }) => reference)).size, 1);
      // Within five seconds, the same provider again would count as a double click, which may begin a new attempt.
      clock.advance(minute);
    }
    t.equal((await attempts()).length, 1);
  });
}

t.test('a start without a response reached no payer: it does not prevent a start at another provider', async (t) => {
  const { start, notchpay, attempts, dashboard, clock } = await openShop(t);
  await notchpay.control.setKnobs({ startFaults: [{ kind: 'http500', times: 1 }] });
  t.equal((await start({ provider: 'notchpay' })).status, 502);
  t.equal((await dashboard()).textOf('.dashboard__attempt'), '');
  clock.advance(minute);
  t.match(await start({ provider: 'zitopay' }), { provider: 'zitopay', open: undefined });
  t.equal((await attempts()).length, 2);
});

t.test('without JavaScript: the open attempt is shown first, and can be resumed or left for a new one', async (t) => {
  const { form, start, dashboard, prepa, zitopay, notchpay, attempts, clock } = await openShop(t);
  const { reference } = await start({ provider: 'zitopay' });
  clock.advance(minute);
  const shown = `/user/dashboard?paiement=${prepa.id}`;
  t.equal(await form({ provider: 'notchpay' }), shown, 'a form without the open attempt leads to the dialog that shows it');
  const { document, textOf, html } = await dashboard(`?paiement=${prepa.id}`);
  await assertValidHtml(t, html);
  t.match(textOf('dialog .alert'), /^Un paiement est déjà commencé ?15 000 XAF avec ZitoPay \(carte, Mobile Money\), le /);
  t.match(
    textOf('dialog details'),
    /^Payer autrement ?Le premier paiement reste ouvert.* Ne payez pas les deux.* 60 jours.*Commencer un autre paiement$/,
  );
  const buttons = [...document.querySelectorAll('dialog button[type="submit"]')].map((button) => [
    ...[button.textContent, button.getAttribute('name'), button.getAttribute('value'), button.getAttribute('formAction')],
  ]);
  t.same(buttons, [
    ['Commencer un autre paiement', 'anotherAttempt', '1', null],
    ['Vérifier ce paiement', 'verify', null, `/user/paiements/${reference}/verifier`],
    ['Reprendre ce paiement', 'resume', reference, null],
  ]);
  t.match(await form({ provider: 'notchpay', resume: reference }), `${zitopay.url}/sci?`);
  t.match(await form({ provider: 'notchpay', resume: 'ZP1' }), shown, 'resuming another attempt than the shown one leads to the dialog');
  t.equal((await attempts()).length, 1);
  t.match(await form({ provider: 'notchpay', anotherAttempt: '1' }), `${notchpay.url}/`);
  clock.advance(minute);
  t.equal(
    await form({ provider: 'notchpay', resume: reference }),
    shown,
    'an earlier attempt is not resumed while a later one-time checkout is open',
  );
  const held = await dashboard(`?paiement=${prepa.id}`);
  t.match(held.textOf('dialog .alert'), "Sa page ne s'ouvre qu'une fois");
  t.equal(held.document.querySelector('dialog [name="resume"]'), null);
});

t.test('paid by another attempt: the first one is still shown, with the days that it would add', async (t) => {
  const { start, dashboard, zitopay, learner, prepa, app, clock, databaseUrl } = await openShop(t);
  await start({ provider: 'notchpay' });
  clock.advance(minute);
  const { reference } = await start({ provider: 'zitopay', anotherAttempt: true });
  t.match((await dashboard()).textOf('.dashboard__attempt'), "plutôt que d'en commencer un autre");
  await zitopay.control.approve(reference);
  await submit(app, `/user/paiements/${reference}/verifier`, {}, learner.session);
  const [end, later] = [30, 60].map((days) => formatDate(new Date(clock.now().getTime() + days * dayMs)));
  const added = `Vous avez déjà accès à cette préparation jusqu'au ${end} ; confirmé, ce paiement ajoute 30 jours, jusqu'au ${later}.`;
  const open = await dashboard();
  t.match(open.textOf('.dashboard__attempt'), `Paiement commencé pour ENS 15 000 XAF avec Notch Pay`);
  t.match(open.textOf('.dashboard__attempt'), added);
  t.notMatch(open.textOf('.dashboard__attempt'), /Reprendre|plutôt que/, 'no link invites to pay it too');
  const dialog = `?paiement=${prepa.id}`;
  t.match((await dashboard(dialog)).textOf('dialog .alert'), 'Un paiement est déjà commencé');

  // It is also shown before a renewal, before the learner presses 'Payer'.
  await sql(databaseUrl, 'update enrolment set date_expiration = $2 where user_id = $1', [learner.id, clock.now()]);
  t.match((await dashboard()).textOf('.dashboard__attempt'), "vérifiez-le plutôt que d'en commencer un autre");
  t.match((await dashboard(dialog)).textOf('dialog .alert'), 'Un paiement est déjà commencé');
});

t.test('two attempts are open: both are shown, and the effect of a third', async (t) => {
  const { start, dashboard, prepa, clock } = await openShop(t);
  await start({ provider: 'notchpay' });
  clock.advance(minute);
  const { open } = await start({ provider: 'zitopay' });
  t.equal(open.autres, null);
  await start({ provider: 'zitopay', anotherAttempt: true });
  const { textOf } = await dashboard(`?paiement=${prepa.id}`);
  for (const place of ['dialog .alert', '.dashboard__attempt'])
    t.match(textOf(place), 'Un autre paiement est ouvert pour cette préparation : il se vérifie dans Mes paiements.', place);
  t.match(textOf('dialog details'), "Ne payez qu'un seul de ces paiements. Chacun de ceux qui sont payés ouvre 30 jours.");
});

t.test('the price has changed: the dialog shows the amount of each payment', async (t) => {
  const { start, dashboard, prepa, databaseUrl, learner, zitopay, app } = await openShop(t);
  const { reference } = await start({ provider: 'zitopay' });
  await sql(databaseUrl, 'update prepa set prix = 17000 where id = $1', [prepa.id]);
  const { textOf } = await dashboard(`?paiement=${prepa.id}`);
  t.equal(textOf('dialog .summary__total'), 'Montant15 000 XAF', 'the dialog shows the amount of the open payment');
  t.match(textOf('dialog details'), 'Son prix est maintenant de 17 000 XAF.');
  await zitopay.control.decline(reference);
  await submit(app, `/user/paiements/${reference}/verifier`, {}, learner.session);
  t.equal((await dashboard(`?paiement=${prepa.id}`)).textOf('dialog .summary__total'), 'Montant17 000 XAF');
});

t.test('the dashboard shows the open attempt until it has an outcome', async (t) => {
  const { start, dashboard, zitopay, prepa, learner, app } = await openShop(t);
  const { reference } = await start({ provider: 'zitopay' });
  const { document, textOf } = await dashboard();
  t.match(
    textOf('.dashboard__attempt'),
    /^Paiement commencé pour ENS 15 000 XAF avec ZitoPay \(carte, Mobile Money\), le .* Il n'est pas encore confirmé/,
  );
  t.equal(document.querySelector('.dashboard__attempt form')?.getAttribute('action'), `/user/paiements/${reference}/verifier`);
  const resume = document.querySelector('.dashboard__attempt a');
  t.same([resume?.getAttribute('href'), resume?.getAttribute('data-opens')], [`/user/dashboard?paiement=${prepa.id}`, 'payment']);
  await zitopay.control.decline(reference);
  await submit(app, `/user/paiements/${reference}/verifier`, {}, learner.session);
  t.equal((await dashboard()).textOf('.dashboard__attempt'), '');
});
