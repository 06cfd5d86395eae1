import t from 'tap';
import { newPage } from '../support/browser.ts';
import { createEnrolment, createLearner } from '../support/factories.ts';
import { openSite, presentSession } from '../support/journey.ts';
import { assertAccessible, assertNoOverflow, assertValidHtml } from '../support/page-checks.ts';

// All of the demo's texts on a phone, corrections open: what one formula or table too wide would spoil.

const site = await openSite(t, {}, { demo: true });
const learner = await createLearner(site);
for (const prepa of await site.rows<{ id: number; nom: string }>('select id, nom from prepa')) await createEnrolment(site, learner, prepa);
const items = await site.rows<{ path: string; titre: string }>(
  `select format('/user/prepa/%s/%s?type=%s&item=%s', d.prepa_id, d.id, i.kind, i.id) as path, d.nom || ', ' || i.titre as titre
   from item i join discipline d on d.id = i.discipline_id order by d.id, i.kind, i.numero_page`,
);
t.ok(items.length >= 60, `${items.length} contents`);

t.test('every content of the demo', async (t) => {
  const page = await newPage(t, { width: 360, baseURL: site.url });
  await presentSession(page, site, learner);
  for (const { path, titre } of items) {
    const response = await page.goto(path);
    await page.evaluate(() => {
      for (const details of document.querySelectorAll<HTMLDetailsElement>('.correction')) details.open = true;
      for (const image of document.querySelectorAll('img')) image.loading = 'eager';
    });
    await assertValidHtml(t, (await response?.text()) ?? '', titre);
    await assertNoOverflow(t, page);
    // What stands around the text is looked at with the other pages, colours included.
    await assertAccessible(t, page, { colours: false, within: '#contenu' });
    const broken = await page.evaluate(async () => {
      const images = [...document.querySelectorAll<HTMLImageElement>('.prose img')];
      await Promise.all(images.map((image) => image.decode().catch(() => {})));
      return images.filter(({ naturalWidth, alt }) => naturalWidth === 0 || alt === '').map(({ src }) => src);
    });
    t.same(broken, [], 'each figure is there, and described');
  }
});
