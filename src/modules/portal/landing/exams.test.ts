import { parseHTML } from 'linkedom';
import t from 'tap';
import { createTestApp, squeeze, submit, visit } from '../../../../test/support/app.ts';
import { createAnnouncedExam, createExam, minuteMs } from '../../../../test/support/exams.ts';
import { createLearner, createPrepa } from '../../../../test/support/factories.ts';
import { assertValidHtml } from '../../../../test/support/page-checks.ts';
import { sql } from '../../../../test/support/sql.ts';

const home = await createTestApp(t);
const { app, clock, databaseUrl } = home;
// A Friday, seven in the morning in Douala.
clock.advance(Date.parse('2027-12-03T06:00:00Z') - clock.now().getTime());

/** Returns the links of a part of a page, with their text. */
async function links(url: string, part: string, session?: string) {
  const { body } = await visit(app, url, session);
  await assertValidHtml(t, body, url);
  return [...parseHTML(body).document.querySelectorAll(`${part} a`)].map((link) => [
    squeeze(link.closest('li')?.textContent ?? link.textContent),
    link.getAttribute('href'),
  ]);
}

t.test('free exams on the landing page, all exams in the trial of their prepa', async (t) => {
  const [published, hidden] = [await createPrepa(home, { nom: 'ENAM' }), await createPrepa(home, { nom: 'ENSP' })];
  await sql(databaseUrl, 'update prepa set is_published = false where id = $1', [hidden.id]);
  const learner = await createLearner(home);
  const trial = `/user/prepa/consultation/${published.id}`;
  t.same(await links('/', '.coming'), [], 'nothing without exams');
  t.same(await links(trial, '.links'), []);

  const free = await createAnnouncedExam(home, { titre: 'Gratuit', prepa: published, audience: 'learners', opensIn: 180 });
  const own = await createAnnouncedExam(home, { titre: 'Réservé', prepa: published, opensIn: 240 });
  await createExam(home, { titre: 'Brouillon', prepa: published, audience: 'learners' });
  await createAnnouncedExam(home, { titre: 'Caché', prepa: hidden, audience: 'learners' });

  t.same(await links('/', '.coming'), [], 'read again after a minute');
  clock.advance(minuteMs);
  const said = (action: string) =>
    `Concours blanc « Gratuit » ENAM Vendredi 3 décembre, de 10 h à 12 h, durée 1 h. ${action} : Concours blanc « Gratuit »`;
  t.same(await links('/', '.coming'), [[said("S'inscrire pour composer"), `/?inscription=1&suite=%2Fuser%2Fconcours-blancs%2F${free.id}`]]);
  t.same(await links('/', '.coming', learner.session), [[said('Se préparer'), `/user/concours-blancs/${free.id}`]]);

  const labels = [
    'Concours blanc « Gratuit » : vendredi 3 décembre à 10 h (gratuit)',
    'Concours blanc « Réservé » : vendredi 3 décembre à 11 h (pour les inscrits)',
  ];
  t.same(await links(trial, '.links', learner.session), [
    [labels[0], `/user/concours-blancs/${free.id}`],
    [labels[1], `/user/concours-blancs/${own.id}`],
  ]);
  t.same(
    (await links(trial, '.links')).map(([label, href]) => [label, href?.startsWith('/?inscription=1&suite=%2Fuser%2Fconcours-blancs%2F')]),
    labels.map((label) => [label, true]),
  );

  // Open from before it until long after.
  await createAnnouncedExam(home, { titre: 'Longue', prepa: published, audience: 'learners', opensIn: 1, openFor: 9_000 });
  await createAnnouncedExam(home, { titre: 'Plus longue', prepa: published, audience: 'learners', opensIn: 1, openFor: 9_001 });
  clock.advance(2 * minuteMs);
  t.same(
    (await links('/', '.coming')).map(([, href]) => href?.endsWith(`%2F${free.id}`)),
    [true, false],
    'exams that are open for long do not hide the next one',
  );
  await sql(databaseUrl, "delete from exam where titre like '%ongue'");

  clock.advance(5 * 60 * minuteMs);
  t.same(await links('/', '.coming'), [], 'a closed exam is announced no longer');
  t.same(await links(trial, '.links'), [
    ["Concours blanc « Réservé » : ouvert jusqu'à 13 h (pour les inscrits)", `/?inscription=1&suite=%2Fuser%2Fconcours-blancs%2F${own.id}`],
  ]);
});

t.test('sign-in and registration name the free exam that a visitor comes for, and no other', async (t) => {
  const [published, hidden] = [await createPrepa(home), await createPrepa(home)];
  await sql(databaseUrl, 'update prepa set is_published = false where id = $1', [hidden.id]);
  const values = { prepa: published, audience: 'learners', opensIn: 180 } as const;
  const free = await createAnnouncedExam(home, { ...values, titre: 'Gratuit' });
  const others = [
    await createAnnouncedExam(home, { ...values, titre: 'Réservé', audience: 'enrolled' }),
    await createAnnouncedExam(home, { ...values, titre: 'Caché', prepa: hidden }),
    await createExam(home, { ...values, titre: 'Brouillon' }),
  ];
  const said = async (page: string, path: string) => {
    const { body } = await visit(app, `${page}suite=${encodeURIComponent(path)}`);
    await assertValidHtml(t, body, page);
    return [...parseHTML(body).document.querySelectorAll('.auth__reason')].map((line) => squeeze(line.textContent));
  };
  const path = `/user/concours-blancs/${free.id}`;
  const [signIn, register] = ['Connectez-vous', 'Inscrivez-vous'].map((word) => `${word} pour composer : Concours blanc « Gratuit »`);
  t.same(await said('/?connexion=1&', path), [signIn, register]);
  t.same(await said('/?inscription=1&', `${path}/salle`), [signIn, register]);
  t.same(await said('/login?', path), [signIn]);
  t.same(await said('/inscription?', `${path}?depuis=letter#q`), [register]);
  const refused = await submit(app, '/api/users/login', { email: 'x@gmail.com', password: 'Mauvais-2027', suite: path });
  t.match(squeeze(parseHTML(refused.body).document.querySelector('.auth__reason')?.textContent), signIn, 'after a refused form');
  for (const { id } of [...others, { id: 999_999_999 }, { id: 99_999_999_999 }]) {
    t.same(await said('/login?', `/user/concours-blancs/${id}`), []);
    t.same(await said('/?connexion=1&', `/user/concours-blancs/${id}`), ['Connectez-vous pour ouvrir ce concours blanc.']);
  }
  t.same(await said('/login?', `https://example.org${path}`), []);
  clock.advance(6 * 60 * minuteMs);
  t.same(await said('/login?', path), [], 'nor one that has closed');
});
