import { parseHTML } from 'linkedom';
import { createElement } from 'react';
import { renderToString } from 'react-dom/server';
import t from 'tap';
import Payment, { type PaymentProps } from './Payment.tsx';

const prepa = { id: 3, nom: 'ENS Yaoundé - Sciences', prix: '15 000 XAF', montant: 15000 };
const zitopay = { slug: 'zitopay', label: 'ZitoPay (carte, Mobile Money)', script: 'https://provider.test/payment.js' };
const notchpay = { slug: 'notchpay', label: 'Notch Pay (Mobile Money)', script: null };
const means = ['MTN MoMo', 'Orange Money', 'Carte'].map((name) => ({ name, provider: 'zitopay', providerName: 'ZitoPay' }));
const render = (props: Partial<PaymentProps>) => {
  const html = renderToString(
    createElement(Payment, {
      simulation: false,
      signedIn: true,
      prepa: null,
      fin: '22 décembre 2026',
      providers: [zitopay],
      means,
      ...props,
    }),
  );
  return parseHTML(`<!doctype html><html><body>${html}</body></html>`).document;
};
const label = (document: Document) => document.querySelector('form button .button__label')?.textContent;

t.test('with a prepa: the dialog is open and has a plain form', async (t) => {
  const document = render({ prepa });
  t.ok(document.querySelector('dialog')?.hasAttribute('open'));
  t.match(document.querySelector('.summary')?.textContent, /ENS Yaoundé - Sciences.*30 jours, jusqu'au 22 décembre 2026.*15 000 XAF/);
  const form = document.querySelector('form');
  t.equal(form?.getAttribute('action'), '/api/payment/start');
  t.equal(form?.querySelector('[name="prepaId"]')?.getAttribute('value'), '3');
  t.equal(label(document), 'Payer 15 000 XAF');
  t.notOk(form?.querySelector('button')?.hasAttribute('disabled'));
  t.equal(document.querySelector('[name="simulationStatus"]'), null);
});

t.test('existing access is shown before the payment, with a link to the prepa', async (t) => {
  const said = (props: Partial<PaymentProps>) => render(props).querySelector('.payment__open');
  const open = said({ prepa: { ...prepa, acces: '22 novembre 2026', fin: '22 décembre 2026' } });
  t.match(open?.textContent, /^Vous y avez déjà accès jusqu'au 22 novembre 2026 : un paiement ajoute 30 jours/);
  t.equal(open?.querySelector('a')?.getAttribute('href'), '/user/prepa/3');
  for (const props of [{ prepa }, {}]) t.ok(said(props)?.hasAttribute('hidden'));
});

t.test("access that lasts: 'Continuer' comes first, and paying is the other choice", async (t) => {
  const open = { ...prepa, acces: '22 novembre 2026', fin: '22 décembre 2026' };
  const buttons = (props: Partial<PaymentProps>) =>
    [...render(props).querySelectorAll('.dialog__actions > *:not(input)')].map((button) => [
      (button.querySelector('.button__label') ?? button).textContent,
      button.className,
      button.getAttribute('href'),
    ]);
  t.same(buttons({ prepa: { ...open, continuer: true } }), [
    ['Annuler', 'button button--quiet', '/user/dashboard'],
    ['Payer 15 000 XAF', 'button button--secondary', null],
    ['Continuer la préparation', 'button', '/user/prepa/3'],
  ]);
  t.equal(render({ prepa: { ...open, continuer: true } }).querySelectorAll('a[href="/user/prepa/3"]').length, 1);
  t.same(buttons({ prepa: open }).at(-1), ['Payer 15 000 XAF', 'button', null], 'access that ends soon');
});

t.test('the contents come from the page or from a request', async (t) => {
  const row = (props: Partial<PaymentProps>) => render(props).querySelector('.payment__contents dd')?.textContent;
  t.equal(row({}), 'Chargement...');
  t.equal(row({ prepa: { ...prepa, contents: { contenu: '3 leçons', mise_a_jour: '2 mai 2026' } } }), '3 leçons, mis à jour le 2 mai 2026');
  t.equal(row({ prepa: { ...prepa, contents: { contenu: null, mise_a_jour: null } } }), 'en cours de rédaction');
});

t.test('without a prepa: the dialog is closed, and shows loading until its script is ready', async (t) => {
  const document = render({ simulation: true });
  t.notOk(document.querySelector('dialog')?.hasAttribute('open'));
  const button = document.querySelector('form button');
  t.ok(button?.hasAttribute('disabled'));
  t.equal(button?.getAttribute('aria-busy'), 'true');
  t.equal(button?.querySelector('.button__busy')?.textContent, 'Chargement...');
  t.same(
    [...document.querySelectorAll('[name="simulationStatus"]')].map((choice) => choice.getAttribute('value')),
    ['success', 'failure'],
  );
});

const tilesOf = (document: Document) =>
  [...document.querySelectorAll('input[type="radio"][name="provider"][form="payment-form"]')].map((radio) => [
    radio.parentElement?.textContent?.trim(),
    radio.getAttribute('value'),
    radio.hasAttribute('checked'),
  ]);

t.test('a tile for each means of payment, with the provider that takes it', async (t) => {
  const document = render({ prepa });
  t.equal(document.querySelector('fieldset legend')?.textContent, 'Moyen de paiement');
  t.same(tilesOf(document), [
    ['MTN MoMo ZitoPay', 'zitopay', true],
    ['Orange Money ZitoPay', 'zitopay', false],
    ['Carte ZitoPay', 'zitopay', false],
  ]);
  t.same(tilesOf(render({ prepa, simulation: true })), [], 'the simulation has its own choice');
});

t.test('two providers that take the same means: both can be chosen, the first provider by default', async (t) => {
  const both = [
    { name: 'MTN MoMo', provider: 'zitopay', providerName: 'ZitoPay' },
    { name: 'MTN MoMo', provider: 'notchpay', providerName: 'Notch Pay' },
    { name: 'Carte', provider: 'zitopay', providerName: 'ZitoPay' },
  ];
  t.same(tilesOf(render({ prepa, providers: [notchpay, zitopay], means: both })), [
    ['MTN MoMo ZitoPay', 'zitopay', false],
    ['MTN MoMo Notch Pay', 'notchpay', true],
    ['Carte ZitoPay', 'zitopay', false],
  ]);
});

t.test('price and end come first, contents and conditions are folded', async (t) => {
  const document = render({ prepa });
  const more = document.querySelector('details.payment__more');
  t.notOk(more?.hasAttribute('open'));
  t.ok(more?.querySelector('.payment__contents'));
  t.notOk(more?.querySelector('.price'));
});
