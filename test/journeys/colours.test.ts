import type { Page } from 'playwright-core';
import t from 'tap';
import { createDiscipline, createEnrolment, createItem, createLearner, createPrepa } from '../support/factories.ts';
import { openSite, presentSession } from '../support/journey.ts';

// Colours by meaning (design.md §4), as the browser computes them.

const site = await openSite(t);
const learner = await createLearner(site);
const [prepa, other] = [await createPrepa(site, { nom: 'ENS' }), await createPrepa(site, { nom: 'ENAM' })];
for (let number = 1; number <= 3; number += 1) await createItem(site, (await createDiscipline(site, prepa.id)).id);
const exercise = await createItem(site, (await createDiscipline(site, prepa.id)).id, { kind: 'exercise', corrige: '<p>Corrigé.</p>' });
await createEnrolment(site, learner, prepa, 20);
await site.rows(`insert into practice (user_id, item_id, verdict, marked_at) values ($1, $2, 'a_revoir', now())`, [
  learner.id,
  exercise.id,
]);
await site.rows("insert into notification (user_id, message, date_creation) values ($1, 'Bonjour', now())", [learner.id]);

const paths = [
  '/user/dashboard',
  '/user/preparations',
  `/user/prepaview/${prepa.id}`,
  `/user/prepa/${prepa.id}`,
  `/user/prepa/consultation/${other.id}`,
  '/user/a-revoir',
  '/user/recherche?q=contenu',
  '/user/notifications',
  '/user/paiements',
];

/** Returns the names of visible elements that use a colour for another meaning than its own. Runs in the page. */
function misused(): { actions: string[]; faults: string[] } {
  const style = getComputedStyle(document.documentElement);
  const probe = document.body.appendChild(document.createElement('i'));
  const colour = (name: string) => {
    probe.style.color = style.getPropertyValue(`--${name}`);
    return getComputedStyle(probe).color;
  };
  const [primary, accent, link] = [colour('primary'), colour('accent'), colour('link')];
  probe.remove();
  const named = (element: Element, what: string) => `${what}: ${element.outerHTML.slice(0, 100)}`;
  const isSelected = (element: Element) => element.closest('[aria-current], [aria-selected="true"], .logo, .cover') !== null;
  const actions: string[] = [];
  const faults: string[] = [];
  for (const element of document.querySelectorAll<HTMLElement>('body *')) {
    if (!element.checkVisibility({ visibilityProperty: true }) || element.closest('dialog')) continue;
    const { color, backgroundColor, borderTopColor, borderTopWidth, borderLeftColor, borderLeftWidth } = getComputedStyle(element);
    const hasText = [...element.childNodes].some((node) => node instanceof Text && node.data.trim());
    if (backgroundColor === primary && element.matches('.button')) actions.push(element.textContent ?? '');
    else if (backgroundColor === primary && !isSelected(element)) faults.push(named(element, 'crimson background'));
    if (isSelected(element)) continue;
    if (hasText && (color === accent || color === primary)) faults.push(named(element, 'crimson text'));
    if (hasText && color === link && !element.closest('a, button')) faults.push(named(element, 'blue text'));
    for (const [width, edge] of [
      [borderTopWidth, borderTopColor],
      [borderLeftWidth, borderLeftColor],
    ]) {
      if (width !== '0px' && [accent, primary, link].includes(String(edge))) faults.push(named(element, 'border'));
    }
  }
  return { actions, faults };
}

t.test('crimson is the one action and the selection, blue is links, and borders are neutral', async (t) => {
  const page: Page = await site.page(t, { width: 360 });
  await presentSession(page, site, learner);
  for (const path of paths) {
    await page.goto(path);
    for (const width of [360, 1280]) {
      await page.setViewportSize({ width, height: 800 });
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme });
        const { actions, faults } = await page.evaluate(misused);
        t.same(faults, [], `${path}, ${width} px, ${colorScheme}`);
        t.ok(actions.length <= 1, `one action on ${path}: ${actions.join(' | ')}`);
      }
    }
  }
});

t.test('titles of pages are 24/30 px on a phone', async (t) => {
  const page = await site.page(t, { width: 360 });
  await presentSession(page, site, learner);
  for (const path of ['/', ...paths]) {
    await page.goto(path);
    const title = await page.locator('h1').evaluate((element) => {
      const { fontSize, lineHeight } = getComputedStyle(element);
      return `${fontSize} ${lineHeight}`;
    });
    t.equal(title, '24px 30px', path);
  }
});

t.test('the landing page has a picture on phones only', async (t) => {
  for (const [width, isShown] of [
    [360, true],
    [1280, false],
  ] as const) {
    const page = await site.page(t, { width });
    const asked: string[] = [];
    page.on('request', (request) => asked.push(request.url()));
    await page.goto('/', { waitUntil: 'networkidle' });
    t.equal(asked.filter((url) => /hero-[^/]*\.svg$/.test(url)).length, isShown ? 1 : 0, `${width} px`);
    t.equal((await page.locator('.hero__picture').evaluate((element) => element.clientHeight)) > 100, isShown);
    t.equal(await page.locator('.specimen').isVisible(), !isShown, 'larger screens have the sample of a study page');
  }
});
