import { HtmlValidate } from 'html-validate';
import t from 'tap';
import { requestOf, startNotchpay } from './testing.ts';

const validator = new HtmlValidate({ extends: ['html-validate:recommended'] });

async function faultsOf(html: string): Promise<string[]> {
  const report = await validator.validateString(html);
  return report.results.flatMap(({ messages }) => messages.map(({ ruleId, message, line }) => `${line} ${ruleId} ${message}`));
}

t.test('the checkout page names the simulator, is valid, escapes its input, and is served once', async (t) => {
  const { start, url } = await startNotchpay(t);
  const { body } = await start({ ...requestOf('A'), description: '<script>alert("x")</script> & l\'accès' });
  const response = await fetch(body.authorization_url);
  const text = await response.text();
  t.equal(response.status, 200);
  t.match(response.headers.get('content-security-policy'), /default-src 'none'; script-src 'self'; style-src 'self'/);
  t.equal(response.headers.get('cache-control'), 'no-store');
  for (const shown of ['Simulateur de paiement', '5 000 XAF', '&lt;script&gt;alert(&quot;x&quot;)&lt;/script&gt; &amp; l&#39;accès']) {
    t.match(text, shown);
  }
  t.strictSame(await faultsOf(text), []);
  t.equal((await fetch(`${url}/assets/css/checkout.css`)).status, 200);

  const again = await fetch(body.authorization_url);
  t.equal(again.status, 410);
  const refusal = await again.text();
  t.match(refusal, 'a déjà servi');
  t.strictSame(await faultsOf(refusal), []);
  t.equal((await fetch(`${url}/checkout/unknown`)).status, 404);
});

t.test('each choice redirects to the site, with the documented query parameters', async (t) => {
  const { start, control, choose } = await startNotchpay(t);
  const outcomes: [Record<string, string>, string, string][] = [
    [{ choice: 'approve' }, 'complete', 'complete'],
    [{ choice: 'decline' }, 'failed', 'failed'],
    [{ choice: 'cancel' }, 'canceled', 'canceled'],
    [{ choice: 'incomplete' }, 'incomplete', 'incomplete'],
    [{ choice: 'later', delay: '300' }, 'pending', 'pending'],
  ];
  for (const [fields, status, said] of outcomes) {
    const ref = `NP-${status}`;
    const { body } = await start(requestOf(ref, 'https://site.example'));
    const response = await choose(body.authorization_url, fields);
    t.equal(response.status, 303);
    const theirs = body.transaction.reference;
    const query = `prepa=7&reference=${theirs}&trxref=${ref}&notchpay_trxref=${theirs}&status=${said}`;
    t.equal(response.headers.get('location'), `https://site.example/success?${query}`);
    t.equal((await control.transaction(ref)).status, status);
  }
  t.equal((await control.ledger()).find(({ ref }) => ref === 'NP-incomplete')?.paid, 2500);

  await control.setKnobs({ returnReference: 'ours' });
  const { body } = await start(requestOf('F', 'https://site.example'));
  const left = await choose(body.authorization_url, { choice: 'approve', leave: '1' });
  const text = await left.text();
  t.equal(left.status, 200, 'closing the page redirects nowhere');
  t.notMatch(text, 'site.example');
  t.strictSame(await faultsOf(text), []);
  const late = await choose(body.authorization_url, { choice: 'decline' });
  t.match(late.headers.get('location'), /reference=F&trxref=F&.*status=complete$/, 'a late click finds the payment as it is');
  t.equal((await choose(body.authorization_url, { choice: 'voler' })).status, 400);
});
