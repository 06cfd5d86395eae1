import type { Page, Response } from 'playwright-core';
import t from 'tap';
import { actorOf, recordChange, terminal } from '../../src/modules/identity/index.ts';
import { newPage } from '../support/browser.ts';
import { createAdministrator, createDiscipline, createLearner } from '../support/factories.ts';
import { presentAdministrator, shareSite } from '../support/journey.ts';
import { lookAt, type Open, post } from '../support/look.ts';

// The look of pages that only super administrators see.

const site = await shareSite(t);
const look = lookAt(t, site);
const boss = await createAdministrator(site, 'super_admin');
const longName = 'mme_ngo_bassong_professeure_yd';
const other = await createAdministrator(site);
const [learner, blocked] = [await createLearner(site), await createLearner(site)];
await site.rows('update app_user set email = $2, blocked_at = now(), blocked_reason = $3 where id = $1', [
  blocked.id,
  'candidat_dont_l_adresse_est_tres_longue_et_sans_espace@yahoo.fr',
  'Compte utilisé par une classe entière, signalé deux fois',
]);
await site.rows('update administrator set username = $2, email = $3 where id = $1', [
  ...[other.id, longName, `${longName}.adresse.longue@universite-de-yaounde.example`],
]);
await site.kernel.fork().transactional(async (tx) => {
  const about = { subject: 'prepa', label: 'Concours directs et professionnels de la fonction publique' } as const;
  const image = `${'a3f8c0d9'.repeat(8)}.webp`;
  await recordChange(tx, site.kernel.context, actorOf(boss), {
    ...about,
    action: 'updated',
    before: { nom: 'ENS', prix: 5000, description: 'Court.', image: null },
    after: { nom: 'ENS Yaoundé', prix: 15_000, description: 'Un texte bien plus long. '.repeat(20), image },
  });
  await recordChange(tx, site.kernel.context, terminal, { ...about, action: 'published' });
});

/** Opens a page as the super administrator, then runs `act` on it. */
const at =
  (path: string, act: (page: Page) => Promise<Response | undefined> = async () => undefined): Open =>
  async (page) => {
    await presentAdministrator(page, site, boss);
    const response = await page.goto(path);
    return (await act(page)) ?? response;
  };
const issue = (page: Page) => post(page, 'form[action="/admin/cles"]');

look('administrators', {}, at('/admin/administrateurs'));
look('administrator to disable', {}, at(`/admin/administrateurs/${other.id}/desactiver`));
look('learners found', {}, at('/admin/candidats?recherche=candidat'));
look('learner, blocked', {}, at(`/admin/candidats/${blocked.id}`));
look(
  'learner, not blocked without a reason',
  { allow: [/status of 400/] },
  at(`/admin/candidats/${learner.id}`, (page) => post(page, 'form[action$="/bloquer"]')),
);
look('keys, just issued', {}, at('/admin/cles', issue));
look(
  'audit log, opened',
  {},
  at('/admin/journal?objet=prepa', async (page) => {
    await page.getByText('Voir les valeurs').last().click();
    await page.getByText('Tout lire').click();
    await page.getByText('Réduire').waitFor();
    return undefined;
  }),
);

/** Signed in long ago: actions that cannot be undone ask for the password again. */
const late = await createAdministrator(site, 'super_admin');
await site.rows("update administrator_session set created_at = now() - interval '1 hour' where administrator_id = $1", [late.id]);
const asLate =
  (open: Open): Open =>
  async (page) => {
    await presentAdministrator(page, site, late);
    return open(page);
  };

look('own account', {}, at('/admin/compte'));
look(
  'own account, password refused',
  { allow: [/status of 400/] },
  at('/admin/compte', (page) =>
    post(page, 'form[action="/admin/compte/mot-de-passe"]', { currentPassword: 'Faux-12345', password: 'court' }),
  ),
);
look(
  'second step, begun',
  {},
  at('/admin/compte/deux-etapes', async (page) => {
    await post(page, 'form[action="/admin/compte/deux-etapes"]');
    return (await page.goto('/admin/compte/deux-etapes')) ?? undefined;
  }),
);
look(
  'password confirmation before issuing keys',
  { allow: [/status of 403/] },
  asLate(async (page) => {
    await page.goto('/admin/cles');
    return post(page, 'form[action="/admin/cles"]');
  }),
);
look('new password by a key, refused', { allow: [/status of 403/] }, async (page) => {
  await page.goto('/admin/mot-de-passe');
  const fields = { email: boss.email, key: 'AAAA-BBBB-CCCC', password: 'Nouveau-2027!', confirmPassword: 'Nouveau-2027!' };
  return post(page, 'form[action="/admin/mot-de-passe"]', fields);
});

t.test('one click selects a whole key', async (t) => {
  const page = await newPage(t, { width: 360, baseURL: site.url });
  await at('/admin/cles', issue)(page);
  const key = page.locator('.issued__key').first();
  await key.click();
  t.equal(await page.evaluate(() => String(getSelection())), await key.innerText());
});

t.test('all screens have the same width and begin at the left edge of the bar', async (t) => {
  const page = await site.page(t, { width: 1280 });
  await page.setViewportSize({ width: 1600, height: 800 });
  await presentAdministrator(page, site, boss);
  const { id } = await createDiscipline(site);
  const places: Record<string, number[]> = {};
  for (const path of [
    '/admin/dashboard',
    `/admin/discipline/${id}`,
    `/admin/discipline/${id}/lectures`,
    `/admin/discipline/${id}/questions`,
    '/admin/signalements',
    '/admin/paiements',
    '/admin/paiements/totaux',
    '/admin/candidats',
    '/admin/administrateurs',
    '/admin/cles',
    '/admin/journal',
    '/api/docs',
  ]) {
    await page.goto(path);
    places[path] = await page.locator('main > .page').evaluate((screen) => {
      const [{ left, right }, { paddingLeft, paddingRight }] = [screen.getBoundingClientRect(), getComputedStyle(screen)];
      const bar = document.querySelector('.brand')?.getBoundingClientRect().left ?? 0;
      return [left + Number.parseFloat(paddingLeft) - bar, right - Number.parseFloat(paddingRight) - bar];
    });
  }
  t.same([...new Set(Object.values(places).map(String))], ['0,1408'], JSON.stringify(places));
});
