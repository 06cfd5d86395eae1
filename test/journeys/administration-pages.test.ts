import type { Page, Response } from 'playwright-core';
import t from 'tap';
import {
  createAdministrator,
  createDiscipline,
  createEnrolment,
  createItem,
  createLearner,
  createPrepa,
  type TestAdministrator,
} from '../support/factories.ts';
import { islandIs, openSite, presentAdministrator } from '../support/journey.ts';
import { at, lookAt, type Open, post } from '../support/look.ts';

// The look of the administration's pages; those of super administrators have a separate file.

const site = await openSite(t);
const look = lookAt(t, site);
const administrator = await createAdministrator(site);

/** Opens a page as an administrator, then runs `act` on it. */
const as =
  (who: TestAdministrator, path: string | (() => string), act: (page: Page) => Promise<void> = async () => undefined): Open =>
  async (page): Promise<Response | null> => {
    await presentAdministrator(page, site, who);
    const response = await page.goto(typeof path === 'string' ? path : path());
    await act(page);
    return response;
  };
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
const place = { prepa: 0, nom: 'Concours directs et professionnels de la fonction publique, session spéciale', discipline: 0 };
const screen = (act?: (page: Page) => Promise<void>) =>
  as(
    administrator,
    () => `/admin/dashboard?prepa=${place.prepa}`,
    async (page) => {
      await islandIs(page, 'admin-catalogue', 'ready');
      await act?.(page);
    },
  );

look('sign-in', {}, at('/admin/connexion'));
look('registration', {}, at('/admin/inscription'));
look('registration refused', { allow: [/status of 400/] }, async (page) => {
  await page.goto('/admin/inscription');
  return post(page, '.auth__form', { username: 'a', email: 'b', password: 'c', confirmPassword: 'd', adminKey1: 'e' });
});
look('no page of the administration', { allow: [/status of 404/] }, as(administrator, '/admin/nulle-part'));
look('page of super administrators', { allow: [/status of 403/] }, as(administrator, '/admin/journal'));
look('no reported error', {}, as(administrator, '/admin/signalements'));
look('description of the calls', {}, as(administrator, '/api/docs'));
look(
  'screen without prepas',
  {},
  as(administrator, '/admin/dashboard', (page) => page.getByRole('heading', { name: 'Aucune préparation sélectionnée' }).waitFor()),
);

t.test('creates many prepas with long names', async () => {
  for (let number = 1; number <= 12; number += 1) await createPrepa(site, { nom: `Préparation ${number}`, isPublished: number % 2 === 0 });
  const { id } = await createPrepa(site, { nom: place.nom, description: 'Une longue description. '.repeat(40), prix: 1_250_000 });
  place.prepa = id;
  for (const nom of ['Mathématiques', 'x'.repeat(100), 'Anticonstitutionnellement-et-sans-espace']) {
    const discipline = await createDiscipline(site, id);
    await site.rows('update discipline set nom = $2, description = $3 where id = $1', [
      discipline.id,
      nom,
      'Analyse et algèbre. '.repeat(25),
    ]);
    place.discipline = discipline.id;
  }
  await createItem(site, place.discipline, { titre: 'Suites numériques' });
  await createEnrolment(site, await createLearner(site), { id, nom: place.nom });
});

look('screen', {}, screen());
look(
  'edit with errors',
  {},
  screen(async (page) => {
    await button(page, 'Nouvelle préparation').click();
    for (const [label, typed] of [
      ['Nom', 'EN'],
      ['Description', ' '],
      ['Prix (XAF)', '-5'],
    ] as const) {
      await page.getByLabel(label, { exact: true }).fill(typed);
      await page.keyboard.press('Tab');
    }
    await page.getByLabel('Image', { exact: true }).setInputFiles({ name: 'a.png', mimeType: 'image/png', buffer: Buffer.from('GIF89a') });
    await page.getByText("L'image doit être au format JPG ou PNG.", { exact: true }).waitFor();
  }),
);
look(
  'conflict',
  { allow: [/status of 409/] },
  screen(async (page) => {
    await button(page, `Modifier ${place.nom}`).click();
    await page.getByLabel('Description', { exact: true }).fill('La mienne.');
    await page.getByLabel('Nom', { exact: true }).fill('Mon nom');
    await site.rows('update prepa set version = version + 1, prix = prix + 500 where id = $1', [place.prepa]);
    await button(page, 'Mettre à jour').click();
    await page.getByText(/^Cette préparation a été modifiée entre-temps/).waitFor();
  }),
);
look(
  'deletion by name',
  { allow: [/status of 409/] },
  screen(async (page) => {
    await button(page, `Supprimer ${place.nom}`).click();
    await button(page, 'Supprimer').click();
    await page.getByLabel(/^Saisissez/).waitFor();
  }),
);
look('lists that failed', {}, async (page) => {
  await site.rows('alter table prepa rename to prepa_away');
  const response = await as(administrator, '/admin/dashboard')(page);
  await site.rows('alter table prepa_away rename to prepa');
  await page.getByText('Erreur lors de la récupération des prepas', { exact: true }).waitFor();
  return response;
});
look(
  'contents of a discipline',
  {},
  as(administrator, () => `/admin/discipline/${place.discipline}`),
);
look('a reported error', {}, async (page) => {
  const item = await createItem(site, (await createDiscipline(site)).id, { titre: 'Anticonstitutionnellement'.repeat(4) });
  await site.rows(`insert into item_report (item_id, user_id, kind, place, message, created_at) values ($1, $2, 'image', $3, $4, now())`, [
    item.id,
    (await createLearner(site)).id,
    'a'.repeat(200),
    'La figure manque.\n'.repeat(10),
  ]);
  return as(administrator, '/admin/signalements')(page);
});
