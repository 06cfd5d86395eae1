import { parseHTML } from 'linkedom';
import t from 'tap';
import { createTestApp, squeeze, visit } from '../../../../../test/support/app.ts';
import { createAnnouncedExam, createExam, createSitting, minuteMs } from '../../../../../test/support/exams.ts';
import { createEnrolment, createLearner, createPrepa, type TestLearner } from '../../../../../test/support/factories.ts';
import { assertValidHtml } from '../../../../../test/support/page-checks.ts';
import { sql } from '../../../../../test/support/sql.ts';
import { statementsDuring } from '../../../../../test/support/statements.ts';

const home = await createTestApp(t);
const { app, clock, databaseUrl } = home;
// A Friday, seven in the morning in Douala.
clock.advance(Date.parse('2027-12-03T06:00:00Z') - clock.now().getTime());

const documentOf = async (url: string, { session }: TestLearner) => parseHTML((await visit(app, url, session)).body).document;
/** Returns the exams of the list, by heading. */
async function listOf(learner: TestLearner): Promise<[string, string[]][]> {
  const document = await documentOf('/user/concours-blancs', learner);
  return [...document.querySelectorAll('main h2')].map((heading) => [
    squeeze(heading.textContent),
    [...(heading.nextElementSibling?.querySelectorAll('li') ?? [])].map((item) => squeeze(item.textContent)),
  ]);
}
const lines = async (learner: TestLearner) =>
  [...(await documentOf('/user/dashboard', learner)).querySelectorAll('.concours')].map((line) => [
    squeeze(line.textContent),
    line.querySelector('a')?.getAttribute('href'),
  ]);
const about = async (learner: TestLearner) => (await lines(learner)).filter(([, href]) => href?.includes('concours-blancs'));

t.test('a learner sees the exams that they may take, and their own past ones', async (t) => {
  const [enrolled, stranger] = [await createLearner(home), await createLearner(home)];
  const prepa = await createPrepa(home, { nom: 'ENAM' });
  await createEnrolment(home, enrolled, prepa);
  t.match(squeeze((await documentOf('/user/concours-blancs', stranger)).querySelector('.empty')?.textContent), /^Aucun concours blanc/);

  const closed = await createAnnouncedExam(home, { titre: 'Réservé', prepa, opensIn: 25 * 60 });
  const free = await createAnnouncedExam(home, { titre: 'Gratuit', prepa, audience: 'learners', opensIn: 3 * 60 });
  await createExam(home, { titre: 'Brouillon', prepa });
  const said = (titre: string, when: string, rest: string) =>
    `Concours blanc « ${titre} » ENAM Annoncé ${when}, durée 1 h. ${rest} Se préparer : Concours blanc « ${titre} »`;
  const freeLine = said('Gratuit', 'Vendredi 3 décembre, de 10 h à 12 h', 'Commence dans 3 h.');
  const closedLine = said('Réservé', 'Samedi 4 décembre, de 8 h à 10 h', 'Commence demain.');
  t.same(await listOf(enrolled), [['À venir', [freeLine, closedLine]]], 'the next one first');
  t.same(await listOf(stranger), [['À venir', [freeLine]]]);

  t.same(await about(enrolled), [
    [
      'Concours blanc « Gratuit » : vendredi 3 décembre à 10 h. Commence dans 3 h. Se préparer : Concours blanc « Gratuit »',
      `/user/concours-blancs/${free.id}`,
    ],
    [
      'Concours blanc « Réservé » : samedi 4 décembre à 8 h. Commence demain. Se préparer : Concours blanc « Réservé »',
      `/user/concours-blancs/${closed.id}`,
    ],
  ]);
  t.equal((await about(stranger)).length, 1);
  const links = [...(await documentOf(`/user/prepa/${prepa.id}`, enrolled)).querySelectorAll('.links a')].map((link) => link.textContent);
  t.same(links.slice(0, 2), [
    'Concours blanc « Gratuit » : vendredi 3 décembre à 10\u00a0h',
    'Concours blanc « Réservé » : samedi 4 décembre à 8\u00a0h',
  ]);

  clock.advance(3 * 60 * minuteMs);
  t.match((await about(stranger))[0]?.[0], /Ouvert jusqu'à 12 h\. Composer/);
  await createSitting(home, free, stranger, { handedIn: 30 });
  clock.advance(2 * 60 * minuteMs);
  t.same(await about(stranger), [], 'a closed exam is announced no longer');
  t.same(await listOf(enrolled), [['À venir', [closedLine]]], 'an exam that was not taken leaves the list');
  const [[heading, [past]] = ['', ['']]] = (await listOf(stranger)) as [[string, [string]]];
  t.equal(heading, 'Passés');
  t.match(past, /Résultats à venir .* Copie remise le vendredi 3 décembre à 10 h 30\./);
  await sql(databaseUrl, 'update exam set marked_at = $2, published_at = $2 where id = $1', [free.id, clock.now()]);
  const document = await documentOf('/user/concours-blancs', stranger);
  t.equal(document.querySelector('main li .button')?.getAttribute('href'), `/user/concours-blancs/${free.id}/resultat`);
});

t.test('list, dashboard and prepa page: valid, and no more statements with an exam than without', async (t) => {
  const learner = await createLearner(home);
  const prepa = await createPrepa(home, { nom: 'ENS' });
  await createEnrolment(home, learner, prepa);
  const urls = ['/user/concours-blancs', '/user/dashboard', `/user/prepa/${prepa.id}`];
  const counts = () =>
    urls.reduce<Promise<number[]>>(
      async (before, url) => [...(await before), (await statementsDuring(() => visit(app, url, learner.session))).length],
      Promise.resolve([]),
    );
  await counts();
  const without = await counts();
  await createAnnouncedExam(home, { prepa });
  t.same(await counts(), without);
  t.ok(Math.max(...without) <= 3, String(without));
  for (const url of urls) await assertValidHtml(t, (await visit(app, url, learner.session)).body, url);
});
