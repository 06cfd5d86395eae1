// Slow: pictures pass through a shared cache to several browsers.
import type { Page } from 'playwright-core';
import t, { type Test } from 'tap';
import { dayMs } from '../../src/shared/dates.ts';
import { call, createTestApp } from '../support/app.ts';
import { newPage, stepScreenshot } from '../support/browser.ts';
import {
  createAdministrator,
  createDiscipline,
  createDocument,
  createEnrolment,
  createLearner,
  createPrepa,
  type TestLearner,
} from '../support/factories.ts';
import { presentSession } from '../support/journey.ts';
import { picture, upload } from '../support/multipart.ts';
import { assertValidHtml } from '../support/page-checks.ts';
import { openSharedCache } from '../support/shared-cache.ts';
import { sql } from '../support/sql.ts';

// A paid picture in a browser behind a shared cache: in its page, from another account, and after the end of the enrolment.

const site = await createTestApp(t);
const { app, clock } = site;
const cache = await openSharedCache(t, await app.listen({ host: '127.0.0.1', port: 0 }));

const prepa = await createPrepa(site);
const discipline = await createDiscipline(site, prepa.id);
const { session } = await createAdministrator(site);
async function lesson(titre: string, colour: string): Promise<number> {
  const { src } = (await upload(app, { method: 'POST', url: '/api/images', image: await picture(colour, 320, 180), session })).json();
  const payload = {
    titre,
    discipline_id: discipline.id,
    contenu: `<p>Le graphe :</p><figure><img src="${src}" alt="Une courbe"></figure>`,
  };
  return (await call(app, { method: 'POST', url: '/api/lecons', session, payload })).json().id;
}
await lesson('Leçon ouverte', '#0274d9');
const paid = await lesson('Leçon payante', '#be0050');
const sheet = await createDocument(site, paid, { nom: 'Fiche payante' });
const study = `/user/prepa/${prepa.id}/${discipline.id}`;

/** Opens a browser that uses the shared cache, with the learner's session if given. */
async function browserOf(t: Test, learner: TestLearner | null, allow: RegExp[] = []): Promise<Page> {
  const page = await newPage(t, { width: 360, baseURL: cache.url, allow });
  if (learner) await presentSession(page, cache, learner);
  return page;
}

/** Waits until the page's picture is loaded; returns its URL. */
async function drawn(page: Page): Promise<string> {
  const image = page.getByRole('img', { name: 'Une courbe' });
  await image.scrollIntoViewIfNeeded();
  await page.waitForFunction(() => [...document.images].some((one) => one.alt === 'Une courbe' && one.complete && one.naturalWidth > 0));
  return (await image.getAttribute('src')) as string;
}
const openPaid = async (page: Page) => {
  await page.goto(`${study}?type=course&item=${paid}`);
  return drawn(page);
};

let address = '';
const owner = await createLearner(site);
await createEnrolment(site, owner, prepa);

t.test('in its page: the picture is shown, also in a text that replaces another one in place', async (t) => {
  const page = await browserOf(t, owner);
  address = await openPaid(page);
  await stepScreenshot(page, 'paid-picture');
  await page.goto('/user/dashboard');
  t.equal(await openPaid(page), address);
  t.equal(cache.asked.filter((url) => url === address).length, 1, 'the second visit loads the picture from the browser cache');
  const cookies = (await page.context().cookies(`${cache.url}/media/content/x`)).filter(({ name }) => name === 'images');
  t.match(cookies, [{ path: '/media/content/', httpOnly: true, sameSite: 'Lax' }]);
  await page.goto(study);
  const free = await drawn(page);
  t.match(free, '/media/content/');
  await page.getByRole('link', { name: 'Suivant' }).click();
  await page.getByRole('heading', { name: 'Leçon payante' }).waitFor();
  t.equal(await drawn(page), address);
  t.equal(cache.asked.filter((url) => url === address).length, 1);
});

t.test('another account gets an error page with a link, and a visitor signs in first', async (t) => {
  const page = await browserOf(t, await createLearner(site), [/status of 403/]);
  const answer = await page.goto(address);
  t.equal(answer?.status(), 403);
  await page.getByText('Cette image est réservée aux candidats inscrits à cette préparation.').waitFor();
  await assertValidHtml(t, await page.content());
  await stepScreenshot(page, 'picture-refused');
  t.equal((await page.goto(sheet.url))?.status(), 403, 'the document is refused too');
  await page.getByRole('link', { name: "Aujourd'hui" }).click();
  await page.waitForURL('**/user/dashboard');
  const visitor = await browserOf(t, null);
  await visitor.goto(address);
  t.match(visitor.url(), `/?connexion=1&suite=${encodeURIComponent(address)}`);
});

t.test("a shared cache hands on the trial's pictures, and nothing that was paid for", async (t) => {
  const trial = study.replace('/prepa/', '/prepa/consultation/');
  for (const visitor of [await browserOf(t, null), await browserOf(t, null)]) {
    await visitor.goto(trial);
    t.match(await drawn(visitor), '/media/libre/');
  }
  t.ok(
    cache.handedOn.some((url) => url.startsWith('/media/libre/')),
    'the second visitor gets the picture from the shared cache',
  );
  const download = await fetch(`${cache.url}${sheet.url}`, { headers: { cookie: owner.session } });
  t.equal(download.status, 200);
  await download.arrayBuffer();
  const kept = cache.kept().filter((url) => !url.startsWith('/assets/'));
  t.notOk(
    kept.some((url) => /^\/(media\/content|documents|user)\//.test(url)),
    kept.join(' '),
  );
});

t.test('a URL is refused after the access has ended, and a renewal gives the page a new URL', async (t) => {
  clock.advance(61 * dayMs);
  await sql(site.databaseUrl, 'update session set expires_at = $1', [new Date(clock.now().getTime() + 30 * dayMs)]);
  const page = await browserOf(t, owner, [/status of 403/]);
  t.equal((await page.goto(address))?.status(), 403);
  await stepScreenshot(page, 'picture-ended');
  await sql(site.databaseUrl, 'update enrolment set date_expiration = $1', [new Date(clock.now().getTime() + 30 * dayMs)]);
  const fresh = await openPaid(page);
  t.not(fresh, address);
  t.equal(fresh.split('?')[0], address.split('?')[0]);
  t.equal((await page.request.get(address)).status(), 200, 'the old URL works again after the renewal');
});
