import t from 'tap';
import { createAnnouncedExam, createBatch, createExam, createSitting, minuteMs } from '../test/support/exams.ts';
import { createLearner } from '../test/support/factories.ts';
import { sql } from '../test/support/sql.ts';
import { createWorld } from '../test/support/world.ts';

const world = await createWorld(t);
const { databaseUrl } = world;

/** Runs `prepa exams …`. Returns its exit code and output, also when it fails. */
async function run(...args: (string | number)[]) {
  try {
    return { code: 0, out: await world.prepa('exams', ...args.map(String)), error: '' };
  } catch (failure) {
    const { code, stdout, stderr } = failure as { code: number; stdout: string; stderr: string };
    return { code, out: stdout, error: stderr };
  }
}
const json = async (...args: (string | number)[]) => JSON.parse(await world.prepa('exams', ...args.map(String), '--json'));

t.test('list, show and the check of the sealed paper', async (t) => {
  t.equal((await run('list')).out, 'Aucun concours blanc.\n');
  const draft = await createExam(world, { titre: 'En brouillon' });
  const exam = await createAnnouncedExam(world, { titre: 'ENAM blanc' });
  t.match(await json('list'), [
    { id: exam.id, titre: 'ENAM blanc', state: 'announced', prepa_nom: exam.prepa.nom },
    { id: draft.id, state: 'draft' },
  ]);
  t.match((await run('show', exam.id)).out, /« ENAM blanc » \(.*\) : Annoncé\./);
  t.match(await json('show', exam.id), { id: exam.id, state: 'announced', begun: 0, waiting: 0 });
  t.match(await run('show', 999_999), { code: 1, error: /Aucun concours blanc n'a ce numéro/ });
  t.equal((await run('show', 'x')).code, 2);

  t.match(await json('seal-check', exam.id), { id: exam.id, questions: 3 });
  t.match(await run('seal-check', draft.id), { code: 1, error: /n'est pas annoncé/ });
  await sql(databaseUrl, "update exam_paper set contenu = replace(contenu, 'Choix 1', 'Choix un') where exam_id = $1", [exam.id]);
  t.match(await run('seal-check', exam.id), { code: 1, error: /diffère des épreuves enregistrées/ });
  await sql(databaseUrl, 'update exam_seal set key = sha256(key) where exam_id = $1', [exam.id]);
  const damaged = await run('seal-check', exam.id);
  t.match(damaged, { code: 1, error: /ne s'ouvre pas avec sa clé/ });
  t.notMatch(damaged.error, 'Question posée', 'nothing of the paper is printed');
});

t.test('mark, correct, decide, publish, and find a receipt', async (t) => {
  const exam = await createAnnouncedExam(world, { questions: 2, duree: 60, openFor: 60, opensIn: 5 });
  const [first, second] = exam.questions;
  if (!first || !second) throw new Error('no questions');
  t.match(await run('mark', exam.id), { code: 1, error: /\d\d:\d\d/ }, 'it says from when on');
  // The commands use the machine's clock.
  const past = { ...exam, opensAt: new Date(Date.now() - 300 * minuteMs), closesAt: new Date(Date.now() - 240 * minuteMs) };
  await sql(databaseUrl, 'update exam set opens_at = $2, closes_at = $3 where id = $1', [exam.id, past.opensAt, past.closesAt]);
  const [one, two] = [await createLearner(world), await createLearner(world)];
  const at = new Date(past.opensAt.getTime() + 10 * minuteMs);
  const answer = (q: typeof first, choice: number) => ({ q: q.id, g: { choices: [q.choices[choice] ?? ''] } });
  await createSitting(world, past, one, { handedIn: 20 });
  await createBatch(world, past, one, { at, answers: [answer(first, 0), answer(second, 1)] });
  await createSitting(world, past, two);
  const lateAt = new Date(past.closesAt.getTime() + 31 * minuteMs);
  await createBatch(world, past, two, { at: lateAt, sentAt: lateAt, answers: [{ ...answer(first, 0), t: at.getTime() }] });
  await sql(databaseUrl, "update exam_sitting set late = 'waiting' where user_id = $1", [two.id]);

  t.match(await run('publish', exam.id), { code: 1, error: /Corrigez d'abord/ });
  t.same(await json('mark', exam.id), { id: exam.id, candidates: 2 });
  const points = async () =>
    Object.fromEntries(
      (
        await sql<{ user_id: string; points: string }>(databaseUrl, 'select user_id, points::float8 from exam_result where exam_id = $1', [
          exam.id,
        ])
      ).map(({ user_id, points }) => [user_id, points]),
    );
  t.same(await points(), { [one.id]: 1, [two.id]: 0 });
  t.match(await json('late', exam.id), [{ email: two.email, answers: 1, late: 'waiting' }]);
  t.match(await run('late', exam.id, '--accept', 'personne@gmail.com'), { code: 1, error: /Aucun compte/ });
  t.match(await run('late', exam.id, '--accept', one.email, '--refuse', two.email), { code: 2 });
  t.match(await json('late', exam.id, '--accept', two.email), { accepted: true });
  t.same(await points(), { [one.id]: 1, [two.id]: 1 }, 'marked again');

  const reason = ['--reason', 'La réponse attendue était fausse'] as const;
  t.match(await run('key', exam.id, 2, '--choices', 'F', ...reason), { code: 2, error: /pas de choix F/ });
  t.match(await run('key', exam.id, 2, '--value', '3', ...reason), { code: 2, error: /demande --choices/ });
  t.match(await run('key', exam.id, 9, '--choices', 'B', ...reason), { code: 1, error: /pas de question 9/ });
  t.match(await run('key', exam.id, 2, '--choices', 'B', ...reason), { code: 0, out: 'Question 2 : réponse attendue corrigée.\n' });
  t.same(await points(), { [one.id]: 2, [two.id]: 1 });
  t.match(await run('give', exam.id, 2, ...reason), { code: 0 });
  t.same(await points(), { [one.id]: 2, [two.id]: 2 });
  t.match(await run('neutralise', exam.id, 2, ...reason), { code: 0, out: 'Question 2 : neutralisée.\n' });
  t.same(await points(), { [one.id]: 1, [two.id]: 1 });
  t.match(await run('count', exam.id, 2, ...reason), { code: 0 });
  t.same(await points(), { [one.id]: 2, [two.id]: 1 }, 'with the corrected key');
  t.equal((await run('neutralise', exam.id, 2)).code, 2, 'a reason is required');

  t.match(await run('receipt', exam.id, 'bcdf ghjk'), { code: 0, out: new RegExp(one.email) });
  t.match(await run('receipt', exam.id, 'ZZZZ-ZZZZ'), { code: 1, error: /Aucune copie/ });
  t.equal((await run('receipt', exam.id, 'abc')).code, 2);
  t.match(await run('publish', exam.id), { code: 0, out: 'Résultats publiés.\n' });
  t.match(await run('publish', exam.id), { code: 1, error: /déjà publiés/ });
  t.match(
    await sql(
      databaseUrl,
      "select action, actor from audit_entry where subject = 'exam' and subject_id = $1 and actor = 'terminal' order by id",
      [String(exam.id)],
    ),
    ['marked', 'updated', 'corrected', 'corrected', 'corrected', 'corrected', 'published'].map((action) => ({ action, actor: 'terminal' })),
  );
});
