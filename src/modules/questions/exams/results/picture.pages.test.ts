import { createHash } from 'node:crypto';
import t from 'tap';
import { createTestApp, visit } from '../../../../../test/support/app.ts';
import { createCandidate, examPhone } from '../../../../../test/support/exam-phone.ts';
import { createExam, createSitting, minuteMs, passExam } from '../../../../../test/support/exams.ts';
import { createAdministrator, createLearner } from '../../../../../test/support/factories.ts';
import { choiceQuestion } from '../../../../../test/support/questions.ts';
import { actorOf } from '../../../identity/index.ts';
import { markExam, publishResults } from '../marking/marking.service.ts';
import { announceExam } from '../papers/announcement.service.ts';

const home = await createTestApp(t);
const { app, kernel, clock } = home;
const { context } = kernel;
const actor = actorOf(await createAdministrator(home));

/** Stores a picture. @returns its text, and its HTML */
async function figure(text: string) {
  const bytes = Buffer.from(`RIFF\0\0\0\0WEBPVP8 ${text}`);
  const name = createHash('md5').update(text).digest('hex');
  await context.files.write(`content/${name}.webp`, bytes);
  return { bytes, html: `<figure><img src="/media/content/${name}.webp" alt=""></figure>` };
}

t.test('pages of an exam link to its pictures, which candidates get when they may read the text', async (t) => {
  const [asked, explained] = [await figure('énoncé'), await figure('explication')];
  const [right, wrong] = ['ccccccccccc1', 'ccccccccccc2'];
  const question = choiceQuestion({
    id: 'qqqqqqqqqqq1',
    statement: 'Que montre la figure ?',
    choices: [
      { id: right, text: 'Un cercle', right: true },
      { id: wrong, text: 'Un carré' },
    ],
    explanation: 'La voici.',
  }).replace('<p>La voici.</p>', `<p>La voici.</p>${explained.html}`);
  const exam = await createExam(home, { papers: [{ contenu: `${asked.html}${question}` }] });
  await announceExam(kernel.fork(), context, actor, exam.id, 1);
  const [candidate, late, stranger] = [await createCandidate(home, exam), await createCandidate(home, exam), await createLearner(home)];

  /** Returns the addresses of the pictures in a page, which holds none itself. */
  const linked = async (path: string) => {
    const { body } = await visit(app, `/user/concours-blancs/${exam.id}${path}`, candidate.session);
    t.notMatch(body, 'data:image/webp', path);
    return [...body.matchAll(/<img src="([^"]*)"/g)].map(([, address = '']) => address);
  };
  const nameOf = ({ bytes }: { bytes: Buffer }) =>
    `/user/concours-blancs/${exam.id}/images/${createHash('sha256').update(bytes).digest('hex').slice(0, 32)}.webp`;
  const [ofPaper, ofKey] = [nameOf(asked), nameOf(explained)];
  const statuses = async (address: string) =>
    Promise.all([candidate, late, stranger].map(async ({ session }) => (await visit(app, address, session)).statusCode));

  t.same(await statuses(ofPaper), [404, 404, 404], 'before the opening');
  clock.advance(exam.opensAt.getTime() - clock.now().getTime());
  await createSitting(home, exam, candidate);
  t.same(await linked('/feuille/1'), [ofPaper]);
  t.same(await statuses(ofPaper), [200, 200, 404], 'without access');
  t.same(await statuses(ofKey), [404, 404, 404], 'a correction before the publication');
  t.equal((await visit(app, ofPaper)).statusCode, 303, 'a visitor');
  const { rawPayload, headers } = await visit(app, ofPaper, candidate.session);
  t.ok(rawPayload.equals(asked.bytes));
  t.match(headers, { 'content-type': 'image/webp', 'cache-control': 'private, max-age=31536000, immutable', vary: undefined });
  t.match(
    (await visit(app, `/user/concours-blancs/${exam.id}/salle`, candidate.session)).body,
    'data:image/webp',
    'the room is kept whole',
  );

  await examPhone(home, { ...exam, questions: [{ id: 'qqqqqqqqqqq1', choices: [right, wrong] }] }, candidate).handIn([[0, 1]]);
  t.same(await linked('/copie'), [ofPaper]);
  passExam(home, exam);
  await markExam(kernel.fork(), context, exam.id);
  t.same(await statuses(ofKey), [404, 404, 404], 'marked, not published');
  await publishResults(kernel.fork(), context, actor, exam.id);
  clock.advance(minuteMs);
  t.same(await linked('/resultat'), [ofPaper, ofKey]);
  t.same(await statuses(ofKey), [200, 404, 404], 'only whoever has a result');
  t.same((await visit(app, ofKey, candidate.session)).rawPayload, explained.bytes);
});
