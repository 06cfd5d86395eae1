import { parseHTML } from 'linkedom';
import t from 'tap';
import { createTestApp, squeeze, visit } from '../../../../test/support/app.ts';
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
