import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import t from 'tap';
import { assertAccessible, assertAccessibleAnew } from './accessible.ts';
import { allowErrors, newPage, openBrowser } from './browser.ts';
import { assertFocusOrder } from './focus-order.ts';
import { isLongForm } from './long-form.ts';
import { mockTest } from './mock-test.ts';
import { assertNoOverflow, assertNothingMissing, assertValidHtml, showsNewParts } from './page-checks.ts';

const page = (body: string) =>
  `<!DOCTYPE html><html lang="fr"><head><meta charset="utf-8"><title>Essai</title><meta name="viewport" content="width=device-width"></head><body>${body}</body></html>`;
const pages: Record<string, string> = {
  '/': page('<main><h1>Préparer un concours</h1><p>Bonjour.</p></main>'),
  '/faint': page('<main><h1>Pâle</h1><p class="faint">On ne lit pas undefined.</p></main>').replace(
    '</head>',
    '<link rel="stylesheet" href="/faint.css"></head>',
  ),
  '/lost': page(`<main><h1>Perdu</h1>${'<p><a href="/">Lien</a></p>'.repeat(30)}<a class="lost" href="/">Perdu</a></main>`).replace(
    '</head>',
    '<link rel="stylesheet" href="/lost.css"></head>',
  ),
  '/bad': page('<main><h1>Mal</h1><img src="/dot.png"><p><div>x</div></p><div class="wide">large</div></main>').replace(
    '</head>',
    '<link rel="stylesheet" href="/wide.css"></head>',
  ),
  '/appears': page('<main><h1>Bientôt</h1><p class="appears">On lit ceci.</p><p class="waits">Et ceci.</p></main>').replace(
    '</head>',
    '<link rel="stylesheet" href="/appears.css"></head>',
  ),
  '/inline': page('<main><h1>Mal</h1></main><script>document.title = "non"</script>'),
  '/throws': page('<main><h1>Mal</h1></main><script src="/throws.js"></script>'),
};
const files: Record<string, [string, string]> = {
  '/faint.css': [
    'text/css',
    `.faint { color: #ddd; background: #fff } @media (prefers-color-scheme: dark) { .faint { color: #111; background: #222 } }
     @media (width >= 800px) { .faint { color: #eee } }`,
  ],
  '/appears.css': [
    'text/css',
    `.appears { animation: appear 1s linear } .waits { animation: wait 1s infinite alternate, appear 1s 1h }
     @keyframes appear { from { opacity: 0 } } @keyframes wait { from { padding: 0 } }`,
  ],
  '/lost.css': ['text/css', '.lost { position: fixed; left: -5000px }'],
  '/wide.css': ['text/css', '.wide { width: 2000px }'],
  '/throws.js': ['text/javascript', 'throw new Error("boom")'],
  '/dot.png': ['image/svg+xml', '<svg xmlns="http://www.w3.org/2000/svg"/>'],
};

const server = createServer((request, response) => {
  const html = pages[request.url ?? ''];
  const file = files[request.url ?? ''];
  response.setHeader('content-security-policy', "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'");
  response.writeHead(html || file ? 200 : 404, { 'content-type': file?.[0] ?? 'text/html; charset=utf-8' });
  response.end(html ?? file?.[1] ?? page('<main><h1>Rien</h1></main>'));
});
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
t.teardown(() => server.close());
const baseURL = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
await openBrowser(t);

t.test('a good page passes every check, with and without JavaScript', async (t) => {
  for (const javaScript of [true, false]) {
    const page = await newPage(t, { width: 360, baseURL, javaScript });
    const response = await page.goto('/');
    if (javaScript) await assertAccessible(t, page);
    await assertNoOverflow(t, page);
    await assertValidHtml(t, (await response?.text()) ?? '');
  }
});

t.test('axe runs after entry animations have ended, and does not wait for endless ones', async (t) => {
  const page = await newPage(t, { width: 360, baseURL });
  await page.goto('/appears');
  await assertAccessible(t, page);
});

t.test('pages use the fonts bundled with the tests, not those of the machine', { skip: process.env.TEST_BROWSER === '' }, async (t) => {
  const page = await newPage(t, { width: 360, baseURL });
  await page.goto('/');
  const session = await page.context().newCDPSession(page);
  await session.send('DOM.enable');
  await session.send('CSS.enable');
  const fontIn = async (family: string) => {
    await page.evaluate((family) => {
      document.documentElement.style.fontFamily = family;
      return new Promise(requestAnimationFrame);
    }, family);
    const { root } = await session.send('DOM.getDocument');
    const { nodeId } = await session.send('DOM.querySelector', { nodeId: root.nodeId, selector: 'h1' });
    const { fonts } = await session.send('CSS.getPlatformFontsForNode', { nodeId });
    return fonts.map(({ familyName }) => familyName);
  };
  t.same(await fontIn('system-ui'), ['Open Sans']);
  t.same(await fontIn('"DejaVu Sans"'), ['DejaVu Sans'], 'the widest common fallback font is available');
  t.same(await fontIn('"Liberation Sans", "Noto Sans", Arial, monospace'), ['DejaVu Sans Mono'], 'no other font is installed');
});

t.test('checks the parts that only one of many pages has: colours at each width, elements and texts', async (t) => {
  const page = await newPage(t, { width: 360, baseURL });
  const { failures, mock } = mockTest(t);
  const look = async (path: string) => {
    await page.setViewportSize({ width: 360, height: 740 });
    await page.goto(path);
    const isNew = await showsNewParts(page);
    for (const as of ['page', 'colours', 'width'] as const) {
      if (as === 'width') await page.setViewportSize({ width: 1280, height: 740 });
      await page.emulateMedia({ colorScheme: as === 'colours' ? 'dark' : 'light' });
      await assertAccessibleAnew(mock, page, as);
    }
    await assertNothingMissing(mock, page);
    return isNew;
  };
  t.ok(await look('/'));
  t.notOk(await look('/'));
  t.same(failures, []);
  t.ok(await look('/faint'));
  t.equal(failures.length, 4);
  for (const failure of failures.slice(0, 3)) t.match(failure, /color-contrast.*faint/);
  t.match(failures[3], /no missing value/);
  failures.length = 0;
  t.ok(await look('/bad'));
  t.match(failures[0], /image-alt/);

  failures.length = 0;
  const tabbed = Object.assign(mock, { ok: () => true });
  await page.goto('/lost');
  await assertFocusOrder(tabbed, page);
  t.match(failures, [/not seen: <a class=\\"lost/]);
  await assertFocusOrder(tabbed, page);
  t.equal(failures.length, isLongForm ? 2 : 1, 'the short form reports the fault once');
});

t.test('a bad page fails every check', async (t) => {
  const page = await newPage(t, { width: 360, baseURL });
  const response = await page.goto('/bad');
  const { failures, mock } = mockTest(t);
  await assertAccessible(mock, page);
  await assertNoOverflow(mock, page);
  await assertValidHtml(mock, (await response?.text()) ?? '');
  t.match(failures[0], /image-alt/);
  t.match(failures[1], /wide.*ends at 20/);
  t.match(failures[2], /element-permitted-content|close-order/);
});

t.test('errors of the page fail the test that opened it, unless they are allowed', async (t) => {
  for (const [path, expected] of [
    ['/inline', /console: .*Content Security Policy/],
    ['/throws', /uncaught: .*boom/],
    ['/absent', /console: .*404/],
  ] as const) {
    const { failures, mock } = mockTest(t);
    const page = await newPage(mock, { width: 1280, baseURL });
    await page.goto(path);
    await page.waitForTimeout(50);
    t.match(failures.join(), expected);
    t.equal(failures.length, 1);
    allowErrors(page, expected);
    await page.reload();
    t.equal(failures.length, 1, 'an allowed error is not recorded');
  }
});
