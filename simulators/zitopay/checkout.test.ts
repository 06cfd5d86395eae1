import { HtmlValidate } from 'html-validate';
import t from 'tap';
import { startMerchant } from '../platform/testing.ts';
import { checkoutOf, queryOf, startSimulator } from './testing.ts';

const validator = new HtmlValidate({ extends: ['html-validate:recommended'] });

async function faultsOf(html: string): Promise<string[]> {
  const report = await validator.validateString(html);
  return report.results.flatMap(({ messages }) => messages.map(({ ruleId, message, line }) => `${line} ${ruleId} ${message}`));
}

t.test('the checkout page names the simulator, is valid and escapes its input', async (t) => {
  const { url } = await startSimulator(t);
  const parameters = { ...checkoutOf('A'), memo: '<script>alert("x")</script> & l\'accès' };
  const response = await fetch(`${url}/sci?${queryOf(parameters)}&email=&firstname=&success_url=`);
  const text = await response.text();
  t.equal(response.status, 200);
  t.match(response.headers.get('content-security-policy'), /default-src 'none'; script-src 'self'; style-src 'self'/);
  t.match(text, 'Simulateur de paiement');
  t.match(text, '5 000 XAF');
  t.match(text, '&lt;script&gt;alert(&quot;x&quot;)&lt;/script&gt; &amp; l&#39;accès');
  t.strictSame(await faultsOf(text), []);
  t.notMatch(text, '/assets/js/checkout.js', 'a full page needs no script');

  const again = await fetch(`${url}/sci`, { method: 'POST', body: new URLSearchParams(`${queryOf(parameters)}&popup=1`) });
  t.equal(again.status, 200, 'loading the same checkout again, by POST');
  const popup = await again.text();
  t.match(popup, '/assets/js/checkout.js');
  t.strictSame(await faultsOf(popup), []);
});

t.test('refuses an invalid checkout', async (t) => {
  const { url, control } = await startSimulator(t);
  const broken: [Record<string, unknown>, RegExp][] = [
    [{ amount: '0' }, /amount : au moins 1/],
    [{ amount: '10.5' }, /amount : nombre entier attendu/],
    [{ currency: 'xaf' }, /currency : trois lettres majuscules/],
    [{ ref: 'x'.repeat(85) }, /ref : 84 caractères au plus/],
    [{ ref: '' }, /ref : référence attendue/],
    [{ receiver: '1 2' }, /receiver : /],
    [{ memo: 'x'.repeat(226) }, /memo : 225 caractères au plus/],
    [{ success_url: 'javascript:alert(1)' }, /success_url : adresse http ou https attendue/],
  ];
  for (const [change, reason] of broken) {
    const response = await fetch(`${url}/sci?${queryOf({ ...checkoutOf('A'), ...change })}`);
    const text = await response.text();
    t.equal(response.status, 400, String(reason));
    t.match(text, reason);
    t.strictSame(await faultsOf(text), []);
  }
  await control.register({ ...checkoutOf('x'.repeat(84)), memo: 'x'.repeat(225) });
  const reused = await fetch(`${url}/sci?${queryOf({ ...checkoutOf('x'.repeat(84)), amount: 6000 })}`);
  t.equal(reused.status, 409);
  t.match(await reused.text(), 'Cette référence a déjà servi');
});

t.test('full page: each choice redirects to the merchant', async (t) => {
  const merchant = await startMerchant(t);
  const { control, choose } = await startSimulator(t);
  for (const ref of ['A', 'B', 'C', 'D', 'E']) await control.register(checkoutOf(ref, merchant));

  const approved = await (await choose({ ref: 'A', choice: 'approve' })).text();
  t.equal(merchant.received.length, 1, 'notified before the response to the browser');
  t.match(approved, `<form id="return" method="post" action="${merchant.url}/success" data-times="1">`);
  t.match(approved, '<input type="hidden" name="ref" value="A">');
  t.match(approved, 'name="zitopay_transaction_reference" value="SIM-');
  t.strictSame(await faultsOf(approved), []);

  t.match(await (await choose({ ref: 'B', choice: 'decline' })).text(), `action="${merchant.url}/cancel"`);
  t.match(await (await choose({ ref: 'C', choice: 'close' })).text(), `action="${merchant.url}/cancel"`);
  t.match(await (await choose({ ref: 'D', choice: 'approve-later', delay: '300' })).text(), `action="${merchant.url}/success"`);
  const left = await (await choose({ ref: 'E', choice: 'approve', leave: '1' })).text();
  t.notMatch(left, merchant.url, 'closing the page redirects nowhere');
  t.strictSame(await faultsOf(left), []);

  const states = await Promise.all(['A', 'B', 'C', 'D', 'E'].map(control.transaction));
  t.strictSame(
    states.map(({ status, closedByPayer, approvalDueAt }) => [status, closedByPayer, approvalDueAt !== null]),
    [
      ['COMPLETED', false, false],
      ['FAILED', false, false],
      ['PENDING', true, false],
      ['PENDING', false, true],
      ['COMPLETED', false, false],
    ],
  );

  t.match(await (await choose({ ref: 'A', choice: 'decline' })).text(), 'Paiement approuvé', 'a late click finds the payment as it is');
  t.equal((await control.ledger()).filter(({ ref }) => ref === 'A').length, 1);
});

t.test('full page: return by GET, and twice', async (t) => {
  const merchant = await startMerchant(t);
  const { control, choose } = await startSimulator(t);
  await control.register({ ...checkoutOf('A', merchant), success_url: `${merchant.url}/success?prepa=7` });
  await control.register(checkoutOf('B', merchant));
  await control.setKnobs({ browserReturn: 'get' }, 'A');
  await control.setKnobs({ successTwice: true }, 'B');

  const redirected = await choose({ ref: 'A', choice: 'approve' });
  t.equal(redirected.status, 303);
  t.match(redirected.headers.get('location'), `${merchant.url}/success?prepa=7&ref=A&zitopay_transaction_reference=SIM-`);
  t.match(await (await choose({ ref: 'B', choice: 'approve' })).text(), 'data-times="2"');
  await control.setKnobs({ successTwice: true }, 'A');
  const twice = await (await choose({ ref: 'A', choice: 'approve' })).text();
  t.match(twice, `<a id="return" href="${merchant.url}/success?prepa=7&amp;ref=A`);
  t.strictSame(await faultsOf(twice), []);
});

t.test('popup: the page carries the message for the widget', async (t) => {
  const { control, choose } = await startSimulator(t);
  const expected: [Record<string, string>, string, string][] = [
    [{ choice: 'approve' }, 'zitopayDoneBuffer', '{"ref":"0","status":1,"payment_method":"simulateur"}'],
    [{ choice: 'decline' }, 'zitopayDoneBuffer', '{"ref":"1","status":-1,"payment_method":"simulateur"}'],
    [{ choice: 'approve-later' }, 'zitopayDoneBuffer', '{"ref":"2","status":0,"payment_method":"simulateur"}'],
    [{ choice: 'close' }, 'zitopayCloseBuffer', 'Closed by user'],
    [{ choice: 'approve', leave: '1' }, 'zitopayCloseBuffer', 'Closed by user'],
  ];
  for (const [index, [fields, func, message]] of expected.entries()) {
    const ref = String(index);
    await control.register(checkoutOf(ref));
    const text = await (await choose({ ref, popup: '1', ...fields })).text();
    t.match(text, `data-func="${func}" data-message="${message.replaceAll('"', '&quot;')}" data-times="1"`);
    t.strictSame(await faultsOf(text), []);
  }
  await control.register(checkoutOf('R'));
  await control.setKnobs({ doneMessage: 'ref-only' });
  t.match(await (await choose({ ref: 'R', popup: '1', choice: 'approve' })).text(), 'data-message="{&quot;ref&quot;:&quot;R&quot;}"');
});

t.test('a choice without payment, or an unknown choice, is refused with a page', async (t) => {
  const { control, choose } = await startSimulator(t);
  t.equal((await choose({ ref: 'inconnue', choice: 'approve' })).status, 404);
  await control.register(checkoutOf('A'));
  const response = await choose({ ref: 'A', choice: 'voler' });
  t.equal(response.status, 400);
  t.match(await response.text(), 'choice : choix inconnu');
});
