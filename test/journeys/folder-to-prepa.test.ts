import type { Locator, Page } from 'playwright-core';
import t from 'tap';
import { stepScreenshot } from '../support/browser.ts';
import { createAdministrator, createEnrolment, createLearner } from '../support/factories.ts';
import { islandIs, journey, openSite, presentAdministrator, presentSession } from '../support/journey.ts';
import { docx, p, r, style } from '../support/word-file.ts';

// A teacher has a folder of 30 Word files and no prepa yet. Counts the clicks until a learner reads them: at most 12.

const site = await openSite(t);
const mostClicks = 12;
const count = 30;
const equation = '<m:oMath><m:sSup><m:e><m:r><m:t>x</m:t></m:r></m:e><m:sup><m:r><m:t>2</m:t></m:r></m:sup></m:sSup></m:oMath>';
const files = await Promise.all(
  Array.from({ length: count }, async (_, index) => ({
    name: `${index + 1}. Chapitre.docx`,
    mimeType: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
    buffer: await docx({
      body: [
        p(r(`L'année ${1960 + index} : « repères »`), style('Titre')),
        ...Array.from({ length: 40 }, (_, line) => p(`${r(`Ligne ${line} du cours ${index + 1}, où `)}${equation}${r(' est positif.')}`)),
      ].join(''),
    }),
  })),
);
const button = (place: Page | Locator, name: string) => place.getByRole('button', { name, exact: true });

journey(t, site, 'from a folder of 30 Word files to a prepa that a learner reads', async (t, page, width) => {
  let clicks = 0;
  const click = async (target: Locator) => {
    await target.click();
    clicks += 1;
  };
  const nom = `ENS Yaoundé ${width} : mathématiques`;
  await presentAdministrator(page, site, await createAdministrator(site));
  await page.goto('/admin/dashboard');
  await islandIs(page, 'admin-catalogue', 'ready');
  const begun = performance.now();

  await click(button(page, 'Nouvelle préparation'));
  const creation = page.getByRole('dialog', { name: 'Nouvelle préparation', exact: true });
  // Without a name there is nothing to draw, and the file that was chosen stays.
  await button(creation, 'Utiliser une couverture dessinée').click();
  await creation.getByText("Saisissez d'abord le nom : la couverture le montre.").waitFor();
  await creation.getByLabel('Nom', { exact: true }).fill(nom);
  await creation.getByLabel('Description', { exact: true }).fill('Tout le programme.');
  await creation.getByLabel('Prix (XAF)', { exact: true }).fill('15000');
  await click(button(creation, 'Utiliser une couverture dessinée'));
  await creation.getByText(/^Couverture dessinée pour/).waitFor();
  await stepScreenshot(page, 'folder-cover');
  await click(button(creation, 'Créer'));
  await click(button(page, `Publier ${nom}`));

  await click(button(page, 'Créer une discipline'));
  const discipline = page.getByRole('dialog', { name: 'Nouvelle discipline', exact: true });
  await discipline.getByLabel('Nom', { exact: true }).fill('Mathématiques');
  await discipline.getByLabel('Description', { exact: true }).fill('Analyse.');
  await click(button(discipline, 'Créer'));
  await click(page.getByRole('link', { name: 'Ouvrir Mathématiques', exact: true }));
  await islandIs(page, 'admin-content', 'ready');

  await click(button(page, 'Importer plusieurs fichiers').filter({ visible: true }));
  const imports = page.getByRole('dialog', { name: /^Importer plusieurs fichiers/ });
  await imports.getByLabel(/^Déposez vos fichiers ici/).setInputFiles(files.toReversed());
  // The field, and the button of the system's own dialog.
  clicks += 2;
  await imports.getByText(`${count} brouillons créés`, { exact: true }).waitFor();
  const read = performance.now();
  await stepScreenshot(page, 'folder-imported');
  await click(button(imports, 'Publier les brouillons'));
  const publication = page.getByRole('dialog', { name: 'Publier les brouillons', exact: true });
  await click(button(publication, `Publier (${count})`));
  await publication.waitFor({ state: 'hidden' });
  const ended = performance.now();

  t.ok(clicks <= mostClicks, `${clicks} clicks`);
  const seconds = (ms: number) => (ms / 1000).toFixed(1);
  t.comment(`${width} px: ${clicks} clicks, 5 fields, ${seconds(ended - begun)} s, of them ${seconds(ended - read)} s after the imports`);

  const [prepa] = await site.rows<{ id: number; image: string | null }>('select id, image from prepa where nom = $1', [nom]);
  t.match(prepa?.image, /^covers\//, 'the drawn cover is stored as any upload');
  const learner = await createLearner(site);
  await createEnrolment(site, learner, { id: prepa?.id ?? 0, nom }, 10);
  await presentSession(page, site, learner);
  await page.goto(`/user/prepa/${prepa?.id}`);
  await page.getByRole('link', { name: 'Mathématiques' }).first().click();
  await page.getByRole('heading', { name: "L'année 1960 : « repères »" }).first().waitFor();
  await page.locator('.study math').first().waitFor();
  t.match(await page.title(), /^L'année 1960/);
  await stepScreenshot(page, 'folder-read');
  const items = await site.rows<{ titre: string; intitule: string }>(
    'select titre, intitule from item i join discipline d on d.id = i.discipline_id where d.prepa_id = $1 order by numero_page',
    [prepa?.id],
  );
  t.same(
    items,
    files.map((_, index) => ({ titre: `L année ${1960 + index} repères`, intitule: `L'année ${1960 + index} : « repères »` })),
    'in the order of the file names',
  );
});
