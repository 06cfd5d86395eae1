import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import { dirname, join } from 'node:path';
import chromium from '@sparticuz/chromium';
import { chromium as driver, type Page } from 'playwright-core';
import t, { type Test } from 'tap';
import { startMerchant } from '../platform/testing.ts';
import { checkoutOf, queryOf, type Simulator, startSimulator } from './testing.ts';

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

// chromium's default arguments disable security and use a single process, which ends when its first page is closed.
const { TEST_BROWSER } = process.env;
const browser = await driver.launch({
  // `npm test` unpacks the browser once for all files (an empty path means the system's Chrome). Run alone, this file unpacks it.
  ...(TEST_BROWSER === '' ? { channel: 'chrome' } : { executablePath: TEST_BROWSER ?? (await chromium.executablePath()) }),
  args: ['--no-sandbox'],
  ...(TEST_BROWSER && { env: { ...process.env, FONTCONFIG_FILE: join(dirname(TEST_BROWSER), 'fonts.conf') } }),
});
t.after(() => browser.close());

interface Host {
  page: Page;
  /** Console messages, including exceptions and policy violations. */
  complaints: string[];
  /** Returns the calls of the widget's callbacks. */
  calls(): Promise<unknown[]>;
  /** Waits until `onLoad` has been called `times` times since the page was opened. */
  loaded(times?: number): Promise<unknown>;
}

/** Opens a merchant's page with the strictest policy that the platform uses. Its button pays; `calls` records the callbacks. */
async function openHost(t: Test, simulator: Simulator, options: object): Promise<Host> {
  const script = `window.calls = [];
    document.getElementById('pay').addEventListener('click', () => Zitopay.pay({ ...${JSON.stringify(options)},
      onDone: (result) => calls.push(['done', result]), onClose: () => calls.push(['close']),
      onLoad: () => { calls.push(['load']); document.body.dataset.loads = calls.filter(([name]) => name === 'load').length; } }));`;
  const host = createServer((request, response) => {
    if (request.url === '/host.js') return response.writeHead(200, { 'content-type': 'text/javascript' }).end(script);
    response
      .writeHead(200, {
        'content-type': 'text/html; charset=utf-8',
        'content-security-policy': `default-src 'none'; script-src 'self' ${simulator.url}; style-src 'self'; frame-src ${simulator.url}`,
      })
      .end(
        `<!DOCTYPE html><html lang="fr"><title>Boutique</title><main><h1>Boutique</h1><button id="pay">Payer</button></main>
         <script src="${simulator.url}/assets/js/payment.js"></script><script src="/host.js"></script></html>`,
      );
  });
  await once(host.listen(0, '127.0.0.1'), 'listening');
  const page = await browser.newPage({ viewport: { width: 360, height: 640 } });
  const complaints: string[] = [];
  page.on('console', (message) => complaints.push(message.text()));
  page.on('pageerror', (error) => complaints.push(String(error)));
  t.after(async () => {
    await page.close();
    host.closeAllConnections();
    host.close();
  });
  await page.goto(`http://127.0.0.1:${(host.address() as AddressInfo).port}/`);
  return {
    page,
    complaints,
    calls: () => page.evaluate('window.calls'),
    loaded: (times = 1) => page.waitForSelector(`body[data-loads="${times}"]`, { state: 'attached' }),
  };
}

const overlay = '#zitopayPaymentOverlay';

t.test('pays in the overlay, accessible by keyboard and without axe violations', async (t) => {
  const merchant = await startMerchant(t);
  const simulator = await startSimulator(t);
  const { page, complaints, calls, loaded } = await openHost(t, simulator, checkoutOf('A', merchant));
  await page.focus('#pay');
  await page.keyboard.press('Enter');
  const frame = page.frameLocator('#zitopayPaymentIframe');
  await loaded();
  t.equal(await page.evaluate('document.activeElement.id'), 'zitopayPaymentIframe', 'focus moves in');
  await page.getByRole('button', { name: 'Fermer le paiement' }).waitFor();

  const checkout = page.frames().find((candidate) => candidate.name() === 'zitopayPaymentIframe') ?? page.mainFrame();
  t.ok(await checkout.evaluate('document.documentElement.scrollWidth <= innerWidth'), 'no sideways scrolling at 360 px');
  t.ok(await page.evaluate('document.querySelector("dialog").scrollWidth <= innerWidth'), 'no sideways scrolling in the overlay');
  for (const target of [page.mainFrame(), checkout]) {
    await target.evaluate(axe);
    const { violations } = (await target.evaluate('axe.run({ iframes: false })')) as { violations: { id: string }[] };
    t.strictSame(
      violations.map(({ id }) => id),
      [],
    );
  }

  await frame.getByRole('button', { name: 'Approuver le paiement' }).click();
  await page.waitForSelector(overlay, { state: 'detached' });
  t.strictSame(await calls(), [['load'], ['done', { ref: 'A', status: 1, payment_method: 'simulateur' }]]);
  t.equal(await page.evaluate('document.activeElement.id'), 'pay', 'focus comes back');
  t.equal(merchant.received.length, 1);
  t.equal((await simulator.control.transaction('A')).status, 'COMPLETED');
  t.strictSame(complaints, []);
});

t.test('Escape in the page or in the frame, the button and a choice all close the overlay', async (t) => {
  const simulator = await startSimulator(t);
  const { page, complaints, calls, loaded } = await openHost(t, simulator, checkoutOf('A'));
  const frame = page.frameLocator('#zitopayPaymentIframe');
  const ways = [
    async () => {
      await page.focus('#zitopayCloseToggler');
      await page.keyboard.press('Escape');
    },
    async () => {
      await frame.getByRole('button', { name: 'Refuser le paiement' }).focus();
      await page.keyboard.press('Escape');
    },
    () => page.click('#zitopayCloseToggler'),
    () => frame.getByRole('button', { name: 'Fermer sans payer' }).click(),
  ];
  for (const [index, close] of ways.entries()) {
    await page.click('#pay');
    await loaded(index + 1);
    await close();
    await page.waitForSelector(overlay, { state: 'detached' });
    t.strictSame((await calls()).slice(2 * index), [['load'], ['close']]);
    t.equal(await page.evaluate('document.activeElement.id'), 'pay');
  }
  t.equal((await simulator.control.transaction('A')).status, 'PENDING');
  t.strictSame(complaints, []);
});

t.test('messages from another window are ignored', async (t) => {
  const simulator = await startSimulator(t);
  const { page, complaints, calls, loaded } = await openHost(t, simulator, checkoutOf('A'));
  await page.click('#pay');
  await loaded();
  await page.evaluate(`new Promise((heard) => {
    addEventListener('message', heard, { once: true });
    postMessage({ func: 'zitopayDoneBuffer', message: '{"ref":"A","status":1}' }, '*');
  })`);
  t.strictSame(await calls(), [['load']]);
  t.equal(await page.locator(overlay).count(), 1);
  await page.evaluate('Zitopay.closePopup()');
  t.strictSame(await calls(), [['load']], "the page's own closing calls nothing back");
  t.strictSame(complaints, []);
});

t.test('the success page is loaded twice, in the overlay and in the full page', async (t) => {
  const merchant = await startMerchant(t);
  const simulator = await startSimulator(t);
  await simulator.control.setKnobs({ successTwice: true, notificationTimes: 0 });
  const { page, complaints, calls, loaded } = await openHost(t, simulator, checkoutOf('A', merchant));
  await page.click('#pay');
  await loaded();
  await page.frameLocator('#zitopayPaymentIframe').getByRole('button', { name: 'Approuver le paiement' }).click();
  await page.waitForSelector(overlay, { state: 'detached' });
  t.equal((await calls()).length, 3);
  t.strictSame(complaints, []);

  for (const [ref, browserReturn] of [
    ['P', 'post'],
    ['G', 'get'],
  ] as const) {
    await simulator.control.setKnobs({ browserReturn }, ref);
    const before = merchant.received.length;
    await page.goto(`${simulator.url}/sci?${queryOf(checkoutOf(ref, merchant))}`);
    await page.getByRole('button', { name: 'Approuver le paiement' }).click();
    await page.waitForURL(`${merchant.url}/success**`);
    const returns = merchant.received.slice(before).filter(({ url }) => url.startsWith('/success'));
    t.strictSame(
      returns.map(({ method }) => method),
      [browserReturn.toUpperCase(), browserReturn.toUpperCase()],
    );
  }
});

t.test('without JavaScript the payer returns by a button', async (t) => {
  const merchant = await startMerchant(t);
  const simulator = await startSimulator(t);
  const context = await browser.newContext({ javaScriptEnabled: false });
  t.after(() => context.close());
  const page = await context.newPage();
  await page.goto(`${simulator.url}/sci?${queryOf(checkoutOf('A', merchant))}`);
  await page.getByRole('button', { name: 'Approuver le paiement' }).click();
  await page.getByRole('button', { name: 'Revenir au site' }).click();
  await page.waitForURL(`${merchant.url}/success`);
  t.match(merchant.received.at(-1), { method: 'POST', body: /^ref=A&zitopay_transaction_reference=SIM-/ });
});

// The open browser would keep the test process running.
t.end();
