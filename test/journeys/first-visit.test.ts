// Slow: pages are drawn with and without their style sheet, and compared.
import { get, type IncomingMessage } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { constants, gunzipSync } from 'node:zlib';
import type { CDPSession, Page, Route } from 'playwright-core';
import sharp from 'sharp';
import t from 'tap';
import { newPage } from '../support/browser.ts';
import { createEnrolment, createLearner } from '../support/factories.ts';
import { presentSession, shareSite } from '../support/journey.ts';
import { isLongForm } from '../support/long-form.ts';

// On a first visit the text is painted before the style sheet arrives, and the sheet changes nothing.

const site = await shareSite(t, { demo: true });
const learner = await createLearner(site);
const [place] = await site.rows<{ prepa: number; nom: string; discipline: number; lesson: number }>(
  `select p.id as prepa, p.nom, d.id as discipline, i.id as lesson from prepa p join discipline d on d.prepa_id = p.id
   join item i on i.discipline_id = d.id where i.kind = 'course' and i.contenu like '%<math%' and i.contenu like '%<table%' order by i.id limit 1`,
);
if (!place) throw new Error('the demonstration has no lesson with a formula and a table');
await createEnrolment(site, learner, { id: place.prepa, nom: place.nom }, 30);
await site.rows('insert into notification (user_id, message, date_creation) select $1, $2, now() from generate_series(1, 12)', [
  learner.id,
  'Bonjour',
]);

const visitors = ['/', '/?inscription=1', '/login', '/register', '/absente', `/user/prepa/consultation/${place.prepa}`];
const trial = `/user/prepa/consultation/${place.prepa}/${place.discipline}`;
const study = `/user/prepa/${place.prepa}/${place.discipline}?type=course&item=${place.lesson}`;
const learners = [
  '/user/dashboard',
  '/user/preparations',
  `/user/prepaview/${place.prepa}`,
  `/user/prepa/${place.prepa}`,
  '/user/profil',
  '/user/paiements',
  '/user/notifications',
  '/user/recherche?q=droit',
  '/user/a-revoir',
];
/** Pages also compared in dark mode, in print and in forced colours, by width; these modes are the same at every width. */
const closely: Record<number, string[]> = { 360: ['/', trial, study], 1280: isLongForm ? ['/', trial, study] : [] };
const paths: Record<number, string[]> = {
  360: [...visitors, trial, study, ...learners],
  1280: ['/', study, '/user/dashboard', ...(isLongForm ? ['/login', trial, '/user/preparations'] : [])],
};

/** Holds the page's requests until `letGo`. */
function hold() {
  const waiting: Route[] = [];
  let open = false;
  return {
    take: async (route: Route) => void (open ? await route.continue() : waiting.push(route)),
    letGo: async () => {
      open = true;
      await Promise.all(waiting.splice(0).map((route) => route.continue()));
    },
  };
}

async function holdAssets(page: Page) {
  const [main, learnerSheet, scripts] = [hold(), hold(), hold()];
  await page.unrouteAll();
  await page.route('**/assets/main-*.css', main.take);
  await page.route('**/assets/learner-*.css', learnerSheet.take);
  // Islands would change the page, and these tests do not need them.
  await page.route('**/assets/*.js', scripts.take);
  await page.route('**/media/**', (route) =>
    route.fulfill({ contentType: 'image/svg+xml', body: '<svg xmlns="http://www.w3.org/2000/svg"/>' }),
  );
  return { main, learnerSheet, scripts };
}

const painted = (page: Page) => page.evaluate(() => performance.getEntriesByName('first-contentful-paint').length === 1);

/** Waits until pending changes are laid out. */
const framesAreDrawn = (page: Page) =>
  page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))));

/** Takes a screenshot of the whole page through the debugging protocol, since Playwright's waits for style sheets. */
async function draw(page: Page, protocol: CDPSession): Promise<string> {
  // Shows the skip link in its focused state. Print has no such link and drops the focus.
  await page.evaluate(() => document.querySelector<HTMLElement>('.skip')?.focus());
  await framesAreDrawn(page);
  const { cssContentSize } = await protocol.send('Page.getLayoutMetrics');
  const clip = { ...cssContentSize, x: 0, y: 0, scale: 1 };
  return (await protocol.send('Page.captureScreenshot', { captureBeyondViewport: true, clip, optimizeForSpeed: true })).data;
}

/** Takes screenshots until two are equal, or one equals `expected`. */
async function picture(page: Page, protocol: CDPSession, expected = ''): Promise<string> {
  let [last, next] = [expected, await draw(page, protocol)];
  for (let more = 0; more < 5 && last !== next; more += 1) [last, next] = [next, await draw(page, protocol)];
  return next;
}

/**
 * Returns the largest difference of two screenshots, from 0 to 255. Rounded corners may differ by one or two between layers, and a table
 * line between two pixels may be drawn on one or both of them; differences of such small height are ignored.
 */
async function difference(one: string, other: string | undefined): Promise<number> {
  if (one === other) return 0;
  const read = (data: string) => sharp(Buffer.from(data, 'base64')).raw().toBuffer({ resolveWithObject: true });
  const [first, second] = [await read(one), await read(other ?? '')];
  if (first.data.length !== second.data.length) return 255;
  const rowBytes = first.info.width * first.info.channels;
  const rows = Array.from({ length: first.info.height }, () => 0);
  for (const [at, value] of first.data.entries()) {
    const row = Math.floor(at / rowBytes);
    rows[row] = Math.max(rows[row] ?? 0, Math.abs(value - (second.data[at] ?? 0)));
  }
  return Math.max(...rows.map((_, row) => Math.min(...rows.slice(row, row + 3))));
}

type Pictures = Record<string, string>;

async function pictures(page: Page, protocol: CDPSession, isClose: boolean, expected: Pictures = {}): Promise<Pictures> {
  const found: Pictures = { light: await picture(page, protocol, expected.light) };
  if (isClose) {
    for (const [name, media] of Object.entries({
      dark: { colorScheme: 'dark' },
      paper: { media: 'print' },
      forced: { forcedColors: 'active' },
    } as const)) {
      await page.emulateMedia(media);
      found[name] = await picture(page, protocol, expected[name]);
      await page.emulateMedia({ colorScheme: 'light', media: 'screen', forcedColors: 'none' });
    }
  }
  return found;
}

for (const width of [360, 1280]) {
  t.test(`the page is painted before its style sheet arrives, and looks the same afterwards, ${width} px`, async (t) => {
    const page = await newPage(t, { width, baseURL: site.url, allow: [/status of 404/] });
    const protocol = await page.context().newCDPSession(page);
    await page.emulateMedia({ reducedMotion: 'reduce', colorScheme: 'light' });
    const arriveAt = async (path: string) => {
      await page.context().clearCookies({ name: 'css' });
      const assets = await holdAssets(page);
      const response = await page.goto(path, { waitUntil: 'commit' });
      await page.locator('body > link[rel="stylesheet"]').first().waitFor({ state: 'attached' });
      await page.keyboard.press('Tab');
      return { ...assets, html: (await response?.text()) ?? '' };
    };
    for (const path of paths[width] ?? []) {
      if (path === study) await presentSession(page, site, learner);
      const { main, learnerSheet, scripts, html } = await arriveAt(path);
      const isClose = closely[width]?.includes(path) ?? false;
      const before = await pictures(page, protocol, isClose);
      t.ok(await painted(page), `${path} is painted before its style sheet has arrived`);
      await framesAreDrawn(page);
      const shifts = page.evaluate(
        () =>
          new Promise<number>((resolve) => {
            const from = performance.now();
            let sum = 0;
            new PerformanceObserver((list) => {
              for (const entry of list.getEntries())
                if (entry.startTime >= from) sum += (entry as PerformanceEntry & { value: number }).value;
            }).observe({ type: 'layout-shift' });
            document.addEventListener('readystatechange', () => {
              requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(() => resolve(sum))));
            });
          }),
      );
      await main.letGo();
      await learnerSheet.letGo();
      t.equal(await shifts, 0, `${path} has no layout shift when its style sheet arrives`);
      const after = await pictures(page, protocol, isClose, before);
      for (const [name, data] of Object.entries(before))
        t.ok((await difference(data, after[name])) < 8, `${path}, ${name}: looks the same as before`);
      await scripts.letGo();

      if (html.match(/<link rel="stylesheet"/g)?.length !== 2) continue;
      // A separate visit: a full-page screenshot resizes the window, which must not happen while layout shifts are measured.
      const held = await arriveAt(path);
      await held.main.letGo();
      await page.waitForFunction(() => document.querySelector<HTMLLinkElement>('body > link[rel="stylesheet"]')?.sheet);
      t.ok(
        (await difference(before.light ?? '', await picture(page, protocol, before.light))) < 8,
        `${path}: drawn as before by the first of its two sheets`,
      );
      await held.learnerSheet.letGo();
      await held.scripts.letGo();
    }
  });
}

t.test('a page with the cookie but without the cached style sheet is painted only once the sheet has loaded', async (t) => {
  const page = await newPage(t, { width: 360, baseURL: site.url });
  await page.goto('/');
  const { main, scripts } = await holdAssets(page);
  await scripts.letGo();
  const opened = page.goto('/login');
  await page.locator('footer').waitFor({ state: 'attached' });
  t.equal(await page.locator('head > link[rel="stylesheet"]').count(), 1);
  t.notOk(await painted(page));
  await main.letGo();
  await opened;
  t.equal(await page.locator('.topbar').evaluate((bar) => getComputedStyle(bar).borderBottomStyle), 'solid');
});

/** Bytes that a server can send before the first acknowledgement: ten packets. */
const firstRoundTrip = 14_000;

/** Returns the size of the part of a response, compressed and with headers, up to `text`. */
async function sizeUntil(path: string, cookie: string, text: RegExp): Promise<number> {
  const headers = { accept: 'text/html', 'accept-encoding': 'gzip', cookie };
  const answer = await new Promise<IncomingMessage>((resolve, reject) => get(site.url + path, { headers }, resolve).on('error', reject));
  const body = await buffer(answer);
  const isCompressed = answer.headers['content-encoding'] === 'gzip';
  const readable = (length: number) => {
    const come = body.subarray(0, length);
    return text.test((isCompressed ? gunzipSync(come, { finishFlush: constants.Z_SYNC_FLUSH }) : come).toString());
  };
  let [from, to] = [100, body.length];
  if (!readable(to)) throw new Error(`${path} has no ${text}`);
  while (from < to) {
    const middle = Math.floor((from + to) / 2);
    if (readable(middle)) to = middle;
    else from = middle + 1;
  }
  return answer.rawHeaders.join('    ').length + to;
}

t.test('the style and the beginning of the text fit into the first round trip', async (t) => {
  const text = /<main[\s\S]*<\/h1>/;
  const sizes: Record<string, number> = {};
  for (const path of visitors) sizes[path] = await sizeUntil(path, '', text);
  for (const path of learners) sizes[path] = await sizeUntil(path, learner.session, text);
  for (const [path, cookie] of [
    [trial, ''],
    [study, learner.session],
  ] as const)
    sizes[path] = await sizeUntil(path, cookie, /<main[\s\S]*class="prose[\s\S]*<\/p>/);
  t.same(
    Object.entries(sizes).filter(([, size]) => size > firstRoundTrip),
    [],
  );
});
