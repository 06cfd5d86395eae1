import { randomBytes } from 'node:crypto';
import { inflateRawSync } from 'node:zlib';
import t from 'tap';
import { createTestApp } from '../../../../../test/support/app.ts';
import { createCandidate, examPhone } from '../../../../../test/support/exam-phone.ts';
import { createExam, minuteMs } from '../../../../../test/support/exams.ts';
import { createAdministrator } from '../../../../../test/support/factories.ts';
import { choiceQuestion } from '../../../../../test/support/questions.ts';
import { unseal } from '../../../../shared/exams/sealed-paper.ts';
import { actorOf } from '../../../identity/index.ts';
import { announceExam } from './announcement.service.ts';

const home = await createTestApp(t);
const { app, kernel, clock } = home;
const actor = actorOf(await createAdministrator(home));
const pictureBytes = 300_000;

/** Creates an exam of questions with one picture each. */
async function illustratedExam(count: number) {
  const pictures = Array.from({ length: count }, () => ({
    name: `content/${randomBytes(16).toString('hex')}.webp`,
    bytes: randomBytes(pictureBytes),
  }));
  await Promise.all(pictures.map(({ name, bytes }) => kernel.context.files.write(name, bytes)));
  const id = (letter: string, at: number) => `${letter}${count}${String(at).padStart(9, '0')}`;
  const contenu = pictures.map(({ name }, at) => {
    const choices = ['c', 'd'].map((letter) => ({ id: id(letter, at), text: letter, right: letter === 'c' }));
    return `<figure><img src="/media/${name}" alt="Figure ${at}"></figure>${choiceQuestion({ id: id('q', at), statement: `Que montre la figure ${at} sur ${count} ?`, choices })}`;
  });
  return { exam: await createExam(home, { papers: [{ contenu: contenu.join('') }] }), pictures };
}

t.test('a paper of the largest size reaches phones as it is stored, and pages without scripts link to its pictures', async (t) => {
  const { exam, pictures } = await illustratedExam(19);
  await announceExam(kernel.fork(), kernel.context, actor, exam.id, 1);
  const learner = await createCandidate(home, exam);
  const get = (url: string) => app.inject({ url, headers: { cookie: learner.session, accept: '*/*', 'accept-encoding': 'gzip, br' } });
  const sealed = await get(`/api/concours-blancs/${exam.id}/scelle`);
  t.match(sealed.headers, { 'content-encoding': undefined, 'content-length': String(sealed.rawPayload.length) }, 'it cannot be compressed');
  t.ok(sealed.rawPayload.length < pictures.length * pictureBytes * 1.02, `${sealed.rawPayload.length} bytes`);
  clock.advance(60 * minuteMs);
  const { cle } = (await get(`/api/concours-blancs/${exam.id}/cle`)).json<{ cle: string }>();
  const html = inflateRawSync(await unseal(new Uint8Array(sealed.rawPayload), new Uint8Array(Buffer.from(cle, 'base64')))).toString();
  t.ok(pictures.every(({ bytes }) => html.includes(bytes.toString('base64'))));
  await examPhone(home, exam, learner).start();
  const sheet = await app.inject({
    url: `/user/concours-blancs/${exam.id}/feuille/1`,
    headers: { cookie: learner.session, accept: 'text/html' },
  });
  t.ok(sheet.rawPayload.length < 50_000, `${sheet.rawPayload.length} bytes`);
  const [linked = ''] = /\/user\/concours-blancs\/\d+\/images\/\w+\.webp/.exec(sheet.body) ?? [];
  t.ok((await get(linked)).rawPayload.equals(pictures[0]?.bytes ?? Buffer.alloc(0)));
});

t.test('a larger paper is refused at the announcement', async (t) => {
  const { exam } = await illustratedExam(20);
  await t.rejects(announceExam(kernel.fork(), kernel.context, actor, exam.id, 1), {
    status: 400,
    message: /Le sujet et ses images dépassent 8 Mo/,
  });
});
