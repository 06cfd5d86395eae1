import t from 'tap';
import { createTestApp } from '../../../test/support/app.ts';
import { createAnnouncedExam, createSitting } from '../../../test/support/exams.ts';
import { createAdministrator, createEnrolment, createLearner, createPrepa, type TestLearner } from '../../../test/support/factories.ts';
import { sql } from '../../../test/support/sql.ts';
import { transact } from '../../platform/use-cases/transaction.ts';
import { changeAnnouncedExam } from '../questions/exams/administration/exam.service.ts';

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
    kernel.context.events.emit(tx, kernel.context, name, {
      examId,
      prepaId: 0,
      titre: 'A & B',
      at: clock.now(),
      correctionId,
      position: correctionId + 5,
      standing: correctionId === 2 ? 'neutralised' : 'given',
    }),
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

t.test('another opening or closing is told in the notification of the announcement, unread again', async (t) => {
  const prepa = await createPrepa(home);
  const [reader, deleter, composing] = [await createLearner(home), await createLearner(home), await createLearner(home)];
  for (const learner of [reader, deleter]) await createEnrolment(home, learner, prepa);
  const exam = await createAnnouncedExam(home, { titre: 'A & B', prepa, opensIn: 25 * 60 });
  await createSitting(home, exam, composing);
  await sql(databaseUrl, `update notification set lu = true, deleted_at = case when user_id = $1 then now() end where user_id = any($2)`, [
    deleter.id,
    [reader.id, deleter.id],
  ]);
  let revision = 2;
  const move = async (opensBy: number, closesBy: number) => {
    const later = (at: Date, hours: number) => new Date(at.getTime() + hours * 3_600_000);
    const form = { titre: 'A & B', consignes: '', ouverture: later(exam.opensAt, opensBy), fermeture: later(exam.closesAt, closesBy) };
    const { id: administratorId, username: name } = await createAdministrator(home);
    await changeAnnouncedExam(kernel.fork(), kernel.context, { administratorId, name }, { id: exam.id, revision, form });
    revision += 1;
  };
  const shown = async ({ id }: TestLearner) =>
    await sql<{ message: string }>(databaseUrl, 'select message from notification where user_id = $1 and not lu and deleted_at is null', [
      id,
    ]);
  await move(0, 0);
  t.same(await shown(reader), [], 'the same times are not told');
  const message = (what: string, link: string) => [
    { message: `<strong>Concours blanc « A &amp; B »</strong> : ${what}. <a href="/user/concours-blancs/${exam.id}">${link}</a>` },
  ];
  await move(24, 24);
  for (const learner of [reader, deleter, composing])
    t.same(await shown(learner), message('reporté au dimanche 5 décembre à 9\u00a0h', 'Voir et se préparer'));
  await move(24, 25);
  t.same(await shown(reader), message("ouvert plus longtemps, jusqu'au dimanche 5 décembre à 12\u00a0h", 'Voir le concours blanc'));
});

t.test('results, and each correction of them, are notified once to those who sat the exam', async (t) => {
  const [candidate, other] = [await createLearner(home), await createLearner(home)];
  const exam = await createAnnouncedExam(home, { titre: 'A & B' });
  await createSitting(home, exam, candidate);
  const message = (what: string) =>
    `<strong>Concours blanc « A &amp; B »</strong> : ${what}. <a href="/user/concours-blancs/${exam.id}/resultat">Voir ma note et mon rang</a>`;
  await emit('exam.remarked', exam.id, 1);
  t.same(await told(candidate), [], 'a correction before the publication is not notified');
  await sql(databaseUrl, 'update exam set marked_at = $2, published_at = $2 where id = $1', [exam.id, clock.now()]);
  for (let turn = 0; turn < 2; turn += 1) await emit('exam.published', exam.id);
  t.same(await told(candidate), [message('les résultats sont publiés')]);
  for (const correction of [2, 2, 3]) await emit('exam.remarked', exam.id, correction);
  t.same(await told(candidate), [
    message('les résultats sont publiés'),
    message('question 7 neutralisée, notes et rangs recalculés'),
    message('question 8 donnée à tous, notes et rangs recalculés'),
  ]);
  t.same(await told(other), []);
});
