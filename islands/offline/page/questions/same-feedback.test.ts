import { randomUUID } from 'node:crypto';
import t from 'tap';
import type { AnswerFields } from '../../../../src/shared/questions/answer-form.ts';
import { questionsOf } from '../../../../src/shared/questions/question-html.ts';
import { readGiven } from '../../../../src/shared/questions/read-given.ts';
import { call, createTestApp } from '../../../../test/support/app.ts';
import {
  createDiscipline,
  createEnrolment,
  createItem,
  createLearner,
  createPicture,
  createPrepa,
} from '../../../../test/support/factories.ts';
import { offlineCalls } from '../../../../test/support/offline-calls.ts';
import { choiceQuestion, numberQuestion, textQuestion } from '../../../../test/support/questions.ts';
import { judge } from './judge.ts';

// A kept page shows the same judged question as the site, except for the signatures of pictures, and the link that shares it.
const shareLink = / <a [^>]*href="https:\/\/wa\.me\/[^>]*>Partager sur WhatsApp<\/a>/;

const home = await createTestApp(t);
const { textsOf } = offlineCalls(home);
const prepa = await createPrepa(home);
const discipline = await createDiscipline(home, prepa.id);
const learner = await createLearner(home);
await createEnrolment(home, learner, prepa, 10);

const formula = '<span class="formula" data-latex="x^2"><math><msup><mi>x</mi><mn>2</mn></msup></math></span>';
const before = await createItem(home, discipline.id);
const figure = `<figure><img src="${await createPicture(home, before.id, 'plan')}" alt="Plan"></figure>`;
const choices = [
  { id: 'rightchoice1', text: `Vrai : ${formula} ?`, right: true, remark: `Oui ; ${formula} !` },
  { id: 'wrongchoice1', text: 'Faux « toujours »', remark: 'Non : voir le plan.' },
  { id: 'otherchoice1', text: 'Autre', right: true },
];
const lesson = await createItem(home, discipline.id, {
  numeroPage: 2,
  contenu: [
    choiceQuestion({
      id: 'severalasked',
      several: true,
      points: 2,
      statement: `Énoncé : ${formula} ?`,
      choices,
      explanation: `Car : ${formula}.</p>${figure}<p>Fin !`,
    }),
    choiceQuestion({
      id: 'singleasked1',
      choices: choices.map((choice, index) => ({ ...choice, id: `single${choice.id.slice(0, 6)}`, right: index === 0 })),
      explanation: null,
    }),
    numberQuestion('numberasked1', '3,5', { tolerance: '2 %', unit: 'm/s' }),
    textQuestion('textasked001', ['« Ahidjo »', 'Ahmadou Ahidjo']),
  ].join('<p>Suite : voir.</p>'),
});

const answers: [question: string, fields: AnswerFields, isRight: boolean][] = [
  ['severalasked', { choix: ['otherchoice1', 'rightchoice1'] }, true],
  ['severalasked', { choix: ['wrongchoice1'] }, false],
  ['singleasked1', { choix: ['singlewrongc'] }, false],
  ['singleasked1', { passe: true }, false],
  ['numberasked1', { texte: ' 3,55 m/s' }, true],
  ['numberasked1', { texte: '4,5' }, false],
  ['textasked001', { texte: '<b>deux</b> : non' }, false],
  ['textasked001', { texte: 'ahmadou  AHIDJO' }, true],
];

t.test('the device judges and explains each answer as the site does', async (t) => {
  const texts = await textsOf(`/api/hors-ligne/prepas/${prepa.id}`, learner.session);
  const { contenu = '', keys = [] } = texts.items.find(({ id }) => id === lesson.id) ?? {};
  for (const [id, fields, isRight] of answers) {
    const online = await call(home.app, {
      method: 'POST',
      url: `/api/questions/${id}/reponse`,
      session: learner.session,
      payload: { cle: randomUUID(), numero: 3, ...fields },
    });
    const question = questionsOf(contenu).find((asked) => asked.id === id);
    const key = keys.find((one) => one.id === id);
    const given = question && readGiven(question, fields);
    if (!question || !key || !given || typeof given === 'string') {
      t.fail(`${id} is not kept`);
      continue;
    }
    const kept = judge(question, key, given, 3);
    const { juste, html } = online.json() as { juste: boolean; html: string };
    t.equal(kept.juste, isRight);
    t.equal(juste, isRight);
    t.match(html, shareLink);
    t.equal(kept.html, html.replaceAll(/(\.webp)\?[^"]*/g, '$1').replace(shareLink, ''), `${id} ${JSON.stringify(fields)}`);
  }
});
