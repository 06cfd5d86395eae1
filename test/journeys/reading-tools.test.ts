import type { Page } from 'playwright-core';
import t, { type Test } from 'tap';
import { stepScreenshot } from '../support/browser.ts';
import { createEnrolment, createItem, createLearner } from '../support/factories.ts';
import { createCourse, islandIs, presentSession, shareSite } from '../support/journey.ts';

// Reading on the study page: the text's plan, large figures, letter size and colours.

const site = await shareSite(t);

const part = (titre: string) => `<h2>${titre}</h2>${'<p>Une phrase de la partie, assez longue pour une ligne entière.</p>'.repeat(20)}`;
const figure =
  '<figure><img src="/icon-512.png" alt="Courbe" width="512" height="512" loading="lazy" decoding="async"><figcaption>Figure 1</figcaption></figure>';

/** Opens a lesson with a plan and a figure. */
async function reading(t: Test, options: { width: number; javaScript?: boolean }): Promise<Page> {
  const course = await createCourse(site);
  const contenu = `${figure}${part('Définition')}${part('Propriétés')}${part('À retenir')}`;
  const item = await createItem(site, course.disciplineId, { titre: 'Suites bornées', numeroPage: 9, contenu });
  const { id, token } = await createLearner(site);
  await createEnrolment(site, { id }, course);
  const page = await site.page(t, { ...options, fresh: true });
  await presentSession(page, site, { token });
  await page.goto(`${course.path}?type=course&item=${item.id}`);
  if (options.javaScript !== false) await islandIs(page, 'study', 'ready');
  return page;
}

const lettersOf = (page: Page): Promise<number> =>
  page
    .locator('.study__main .prose')
    .first()
    .evaluate((prose) => Number.parseFloat(getComputedStyle(prose).fontSize));
const paperOf = (page: Page): Promise<string> => page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor);

t.test('on a phone the plan opens above the text, and its links lead to the parts', async (t) => {
  const page = await reading(t, { width: 360 });
  const plan = page.getByRole('navigation', { name: 'Plan' });
  t.notOk(await plan.isVisible());
  await page.getByText('Plan (3 parties)').click();
  t.same(await plan.getByRole('link').allTextContents(), ['Définition', 'Propriétés', 'À retenir']);
  await stepScreenshot(page, 'plan-open');
  await plan.getByRole('link', { name: 'À retenir' }).click();
  await page.waitForFunction(() => location.hash === '#partie-3');
  const heading = page.getByRole('heading', { name: 'À retenir' });
  const { height = 0 } = page.viewportSize() ?? {};
  const { y = -1 } = (await heading.boundingBox()) ?? {};
  t.ok(y >= 0 && y < height, 'the heading is visible');
});

t.test('on a wide screen the plan stays beside the text and marks the part that is being read', async (t) => {
  const page = await reading(t, { width: 1280 });
  const plan = page.getByRole('navigation', { name: 'Plan' });
  const current = plan.locator('[aria-current]');
  t.equal(await current.count(), 0, 'before the first part');
  await page.getByRole('heading', { name: 'Propriétés' }).evaluate((heading) => heading.scrollIntoView({ behavior: 'instant' }));
  await current.filter({ hasText: 'Propriétés' }).waitFor();
  t.equal(await current.count(), 1);
  t.ok(await plan.isVisible());
  const { y = -1 } = (await plan.boundingBox()) ?? {};
  t.ok(y >= 0, 'the plan is still in the window');
  await stepScreenshot(page, 'plan-beside');
});

t.test('a figure opens large, is zoomed by a tap and closed by its button or Escape', async (t) => {
  const page = await reading(t, { width: 360 });
  await page.getByRole('link', { name: 'Courbe' }).click();
  const large = page.getByRole('dialog', { name: 'Courbe' });
  const picture = large.getByRole('button', { name: 'Agrandir : Courbe' });
  await picture.waitFor();
  await stepScreenshot(page, 'figure-large');
  const widthOf = async () => (await picture.locator('img').boundingBox())?.width ?? 0;
  const fitted = await widthOf();
  t.equal(fitted, 360);
  await picture.click();
  t.ok((await widthOf()) > 2 * fitted);
  await picture.press('Enter');
  t.equal(await widthOf(), fitted);
  await large.getByRole('button', { name: 'Fermer' }).click();
  await large.waitFor({ state: 'detached' });
  await page.getByRole('link', { name: 'Courbe' }).press('Enter');
  await large.waitFor();
  await page.keyboard.press('Escape');
  await large.waitFor({ state: 'detached' });
  t.equal(await page.evaluate(() => document.activeElement?.getAttribute('href')), '/icon-512.png', 'the focus is back on the figure');
});

t.test('letter size and colours change at once and stay for the next pages', async (t) => {
  const page = await reading(t, { width: 360 });
  const [letters, paper] = [await lettersOf(page), await paperOf(page)];
  const requests: string[] = [];
  page.on('request', (request) => request.method() === 'POST' && requests.push(request.url()));
  await page.getByText('Options', { exact: true }).click();
  const dark = page.getByRole('button', { name: 'Sombre' });
  await page.locator('[aria-pressed="true"]').getByText('Comme le téléphone').waitFor();
  await page.getByRole('button', { name: 'A+' }).click();
  t.ok((await lettersOf(page)) > letters);
  await dark.click();
  t.not(await paperOf(page), paper);
  t.equal(await dark.getAttribute('aria-pressed'), 'true');
  t.same(
    requests.filter((url) => url.endsWith('/affichage')),
    [],
    'without a request',
  );
  await stepScreenshot(page, 'study-dark');
  const chosen = [await lettersOf(page), await paperOf(page)];
  await page.reload();
  t.same([await lettersOf(page), await paperOf(page)], chosen, 'the server sends the next page in the chosen form');
  await page.goto('/user/dashboard');
  t.equal(await paperOf(page), chosen[1]);
});

t.test('a page restored by Back takes the colours that were chosen meanwhile, and paper is white', async (t) => {
  const page = await reading(t, { width: 360 });
  const paper = await paperOf(page);
  await page.context().addCookies([{ name: 'affichage', value: 'sombre.2', url: site.url }]);
  await page.evaluate(() => dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true })));
  await page.waitForFunction((paper) => getComputedStyle(document.documentElement).backgroundColor !== paper, paper);
  const picture = page.locator('.prose img');
  const filterOf = () => picture.evaluate((img) => getComputedStyle(img).filter);
  t.not(await filterOf(), 'none', 'pictures are dimmed in the dark');
  await page.emulateMedia({ media: 'print' });
  t.equal(await filterOf(), 'none');
  t.equal(await page.evaluate(() => getComputedStyle(document.documentElement).colorScheme), 'light');
});

t.test('letter size, colours, plan and figures work without script', async (t) => {
  const page = await reading(t, { width: 360, javaScript: false });
  const address = page.url();
  const [letters, paper] = [await lettersOf(page), await paperOf(page)];
  for (const name of ['A+', 'Sombre']) {
    await page.getByText('Options', { exact: true }).click();
    await page.getByRole('button', { name }).click();
    await page.waitForURL(address);
  }
  t.ok((await lettersOf(page)) > letters);
  t.not(await paperOf(page), paper);
  await page.getByText('Plan (3 parties)').click();
  await page.getByRole('link', { name: 'Propriétés' }).click();
  t.match(page.url(), /#partie-2$/);
  t.equal(await page.getByRole('link', { name: 'Courbe' }).getAttribute('href'), '/icon-512.png');
});
