// Slow: every text of the demonstration is drawn and looked at.
import type { Page } from 'playwright-core';
import t from 'tap';
import { assertAccessible } from '../support/accessible.ts';
import { newPage } from '../support/browser.ts';
import { createEnrolment, createLearner } from '../support/factories.ts';
import { islandIs, presentSession, shareSite } from '../support/journey.ts';
import { isLongForm } from '../support/long-form.ts';
import { assertMarksStay, assertNoOverflow, assertStill, assertValidHtml } from '../support/page-checks.ts';

// All texts of the demonstration on a phone, corrections open: finds formulas and tables that are too wide.

const site = await shareSite(t, { demo: true });
const learner = await createLearner(site);
for (const prepa of await site.rows<{ id: number; nom: string }>('select id, nom from prepa')) await createEnrolment(site, learner, prepa);
const disciplines = await site.rows<{ nom: string; paths: string[] }>(
  `select d.nom, json_agg(format('/user/prepa/%s/%s?type=%s&item=%s', d.prepa_id, d.id, i.kind, i.id) order by i.kind, i.numero_page) as paths
   from item i join discipline d on d.id = i.discipline_id group by d.id order by d.id`,
);
t.ok(disciplines.flatMap(({ paths }) => paths).length >= 60, 'the demo has at least 60 items');

t.test("every text begins in the upper half of a small phone's screen", async (t) => {
  const page = await newPage(t, { width: 360, baseURL: site.url });
  await page.setViewportSize({ width: 360, height: 640 });
  await presentSession(page, site, learner);
  const all = disciplines.flatMap(({ paths }) => paths);
  // After a first visit, pages no longer contain inline styles.
  await page.goto(all[0] ?? '');
  const visitor = await newPage(t, { width: 360, baseURL: site.url });
  await visitor.goto(all[0]?.replace('/prepa/', '/prepa/consultation/') ?? '');
  const trials = (
    await Promise.all(all.map((path) => visitor.request.get(path.replace('/prepa/', '/prepa/consultation/'), { maxRedirects: 0 })))
  ).filter((answer) => answer.status() === 200);
  t.ok(trials.length >= disciplines.length);
  const documents = await Promise.all([
    ...all.map(async (path) => (await page.request.get(path)).text()),
    ...trials.map((answer) => answer.text()),
  ]);
  const low = await page.evaluate((pages) => {
    const main = document.querySelector('main');
    return pages.flatMap((html) => {
      const other = new DOMParser().parseFromString(html, 'text/html');
      if (main) main.innerHTML = other.querySelector('main')?.innerHTML ?? '';
      const top = document.querySelector('.study__main .prose')?.getBoundingClientRect().top ?? Number.POSITIVE_INFINITY;
      return top + scrollY <= innerHeight / 2 ? [] : [`${other.title}: ${top}`];
    });
  }, documents);
  t.same(low, []);
});

/** A page drawn with our font caches it for the following ones; without it they are drawn with the phone's fonts. */
const fonts = { 'with the font of formulas': null, 'without it': /\.woff2$/ };

for (const [font, without] of Object.entries(fonts))
  t.test(`no page of a text moves by itself, ${font}`, async (t) => {
    for (const width of isLongForm ? [360, 1280] : [360]) {
      const page = await newPage(t, { width, baseURL: site.url, allow: [/ERR_FAILED/] });
      if (without) await page.route(without, (route) => route.abort());
      await presentSession(page, site, learner);
      for (const path of disciplines.flatMap(({ paths }) => (isLongForm ? paths : paths.slice(0, 1)))) {
        await page.goto(path);
        await islandIs(page, 'study', 'ready');
        await assertStill(t, page);
      }
    }
  });

/** Elements in the texts, by name, attributes and ancestors. */
const kindsSeen = new Set<string>();

/** Removes blocks with only known kinds of elements; headings stay, to keep their order. */
async function keepNewKinds(page: Page): Promise<void> {
  const kinds = await page.evaluate(
    (seen) => {
      const known = new Set(seen);
      const own = (element: Element | null) => `${element?.localName} ${element?.className} ${element?.getAttributeNames().sort()}`;
      for (const block of document.querySelectorAll('.prose > :not(h1, h2, h3, h4, h5, h6)')) {
        const parts = [block, ...block.querySelectorAll('*')].map(
          (element) => `${own(element)} ${element.childNodes.length > 0} in ${own(element.parentElement)}`,
        );
        if (parts.every((part) => known.has(part))) block.remove();
        for (const part of parts) known.add(part);
      }
      return [...known];
    },
    [...kindsSeen],
  );
  for (const kind of kinds) kindsSeen.add(kind);
}

for (const { nom, paths } of disciplines) {
  t.test(`every content of ${nom}`, async (t) => {
    const page = await newPage(t, { width: 360, baseURL: site.url, allow: [/ERR_FAILED/] });
    // Without scripts: the island would not find its expected markup.
    await page.route(/\.js$/, (route) => route.abort());
    await presentSession(page, site, learner);
    // After a first visit, pages no longer contain inline styles.
    await page.request.get(paths[0] ?? '');
    const documents = await Promise.all(paths.map(async (path) => (await page.request.get(path)).text()));
    for (const [index, html] of documents.entries()) await assertValidHtml(t, html, paths[index]);
    // All texts on one page, at their usual width. Other tests check the rest of the page, and colours.
    await page.goto(paths[0] ?? '');
    const texts = await page.evaluate((others) => {
      const [first] = document.querySelectorAll('.prose');
      for (const html of others) {
        for (const text of new DOMParser().parseFromString(html, 'text/html').querySelectorAll('.prose')) {
          first?.parentElement?.append(document.importNode(text, true));
        }
      }
      for (const details of document.querySelectorAll<HTMLDetailsElement>('.correction')) details.open = true;
      for (const image of document.querySelectorAll('img')) image.loading = 'eager';
      return document.querySelectorAll('.prose').length;
    }, documents.slice(1));
    t.ok(texts >= paths.length, `${texts} texts`);
    await assertNoOverflow(t, page);
    await assertMarksStay(t, page);
    const broken = await page.evaluate(async () => {
      const images = [...document.querySelectorAll<HTMLImageElement>('.prose img')];
      await Promise.all(images.map((image) => image.decode().catch(() => {})));
      return images.filter(({ naturalWidth, alt }) => naturalWidth === 0 || alt === '').map(({ src }) => src);
    });
    t.same(broken, [], 'each picture loads and has an alternative text');
    if (!isLongForm) await keepNewKinds(page);
    await assertAccessible(t, page, { colours: false, within: '#contenu' });
  });
}
