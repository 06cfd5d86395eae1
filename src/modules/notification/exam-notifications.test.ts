import t from 'tap';
import { createTestApp } from '../../../test/support/app.ts';
import { createAnnouncedExam, createSitting } from '../../../test/support/exams.ts';
import { createEnrolment, createLearner, createPrepa, type TestLearner } from '../../../test/support/factories.ts';
import { sql } from '../../../test/support/sql.ts';
import { transact } from '../../platform/use-cases/transaction.ts';

// Notifications about mock exams.

const home = await createTestApp(t);
const { kernel, clock, databaseUrl } = home;
clock.advance(Date.parse('2027-12-03T07:00:00Z') - clock.now().getTime());

const told = async ({ id }: TestLearner) =>
  (await sql<{ message: string }>(databaseUrl, 'select message from notification where user_id = $1 order by id', [id])).map(
    ({ message }) => message,
  );
const emit = (name: 'exam.published' | 'exam.remarked', examId: number, correctionId = 0) =>
  transact(kernel.fork(), kernel.context, (tx) =>
    kernel.context.events.emit(tx, kernel.context, name, { examId, prepaId: 0, titre: 'A & B', correctionId, at: clock.now() }),
  );

t.test('an announced exam is notified once to those who may take it', async (t) => {
  const prepa = await createPrepa(home);
  const [enrolled, ended, signedIn, signedOut] = [
    await createLearner(home),
    await createLearner(home),
    await createLearner(home),
    await createLearner(home),
  ];
  await createEnrolment(home, enrolled, prepa);
  await createEnrolment(home, ended, prepa, -1);
  await sql(databaseUrl, 'delete from session where user_id = any($1)', [[signedOut.id, ended.id]]);
  const reserved = await createAnnouncedExam(home, { titre: 'A & B', prepa, opensIn: 25 * 60 });
  const message = (id: number) =>
    `<strong>Concours blanc « A &amp; B »</strong> : samedi 4 décembre à 9\u00a0h. <a href="/user/concours-blancs/${id}">Voir et se préparer</a>`;
  const all = () => Promise.all([enrolled, ended, signedIn, signedOut].map(told));
  t.same(await all(), [[message(reserved.id)], [], [], []]);
  const free = await createAnnouncedExam(home, { titre: 'A & B', prepa, audience: 'learners', opensIn: 25 * 60 });
  t.same(await all(), [[message(reserved.id), message(free.id)], [], [message(free.id)], []]);
});

t.test('results, and each correction of them, are notified once to those who sat the exam', async (t) => {
  const [candidate, other] = [await createLearner(home), await createLearner(home)];
  const exam = await createAnnouncedExam(home, { titre: 'A & B' });
  await createSitting(home, exam, candidate);
  const message = (what: string) =>
    `<strong>Concours blanc « A &amp; B »</strong> : les résultats ${what}. <a href="/user/concours-blancs/${exam.id}/resultat">Voir ma note et mon rang</a>`;
  await emit('exam.remarked', exam.id, 1);
  t.same(await told(candidate), [], 'a correction before the publication is not notified');
  await sql(databaseUrl, 'update exam set marked_at = $2, published_at = $2 where id = $1', [exam.id, clock.now()]);
  for (let turn = 0; turn < 2; turn += 1) await emit('exam.published', exam.id);
  t.same(await told(candidate), [message('sont publiés')]);
  for (const correction of [2, 2, 3]) await emit('exam.remarked', exam.id, correction);
  t.same(await told(candidate), [message('sont publiés'), message('ont été corrigés'), message('ont été corrigés')]);
  t.same(await told(other), []);
});
