import t from 'tap';
import { button, openScreen, readToast } from '../support/authoring.ts';
import { createAdministrator, createDiscipline } from '../support/factories.ts';
import { shareSite } from '../support/journey.ts';

// 'Tout publier' with more drafts than one request publishes.

const site = await shareSite(t);
const administrator = await createAdministrator(site);

t.test('45 drafts are published in batches; after a failure, the published ones have left and the rest can be published', async (t) => {
  const { id } = await createDiscipline(site);
  const names = Array.from({ length: 45 }, (_, index) => `Chapitre ${index + 1}`);
  await site.rows(
    `insert into item_draft (id, discipline_id, kind, titre, annee, duree, bareme, contenu, saved_at, saved_by)
     select nextval('item_id_seq'), $1, 'course', name, '', '', '', '<p>Texte.</p>', now(), 'Awa'
     from (select name from unnest($2::text[]) with ordinality as n (name, rank) order by rank) as ordered`,
    [id, names],
  );
  const published = async () =>
    (await site.rows<{ titre: string }>('select titre from item where discipline_id = $1 order by numero_page', [id])).map(
      ({ titre }) => titre,
    );
  const page = await site.page(t, { width: 1280, fresh: true, allow: [/status of 503/] });
  await openScreen(page, site, administrator, id);
  const sizes: number[] = [];
  await page.route('**/api/brouillons/publication', async (route) => {
    sizes.push(route.request().postDataJSON().ids.length);
    if (sizes.length !== 2) return route.continue();
    await page.getByText('20 sur 45', { exact: true }).waitFor();
    await route.fulfill({ status: 503, json: { message: 'Le service est occupé.' } });
  });
  await button(page, 'Tout publier (45)').click();
  const dialog = page.getByRole('dialog', { name: 'Publier les brouillons', exact: true });
  await button(dialog, 'Publier (45)').click();
  await dialog.getByText('La publication a échoué').waitFor();
  await readToast(page, '20 contenus publiés');
  t.same(await published(), names.slice(0, 20));
  await dialog.getByText('25 brouillons deviennent visibles').waitFor();
  await page.getByText('Tout publier (25)').waitFor();
  await button(dialog, 'Publier (25)').click();
  await readToast(page, '25 contenus publiés');
  t.same(await published(), names);
  t.same(sizes, [20, 20, 20, 5]);
});
