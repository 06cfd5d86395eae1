import { randomUUID } from 'node:crypto';
import type { ParticipationView } from '../../src/shared/exams/exam-calls.ts';
import { call, type TestApp } from './app.ts';
import type { TestExam } from './exams.ts';
import { createEnrolment, createLearner, type TestLearner } from './factories.ts';

/** An answer: positions of question and choice in the exam, from 0, and its time in ms; by default now. */
type Answer = [question: number, choice: number, at?: number];

/** Creates a learner with access to the exam's prepa. */
export async function createCandidate(home: TestApp, exam: TestExam, days = 30): Promise<TestLearner> {
  const learner = await createLearner(home);
  await createEnrolment(home, learner, exam.prepa, days);
  return learner;
}

/** Returns a candidate's phone, which calls the site as the room's script does. `fields` replace those of a body. */
export function examPhone({ app, clock }: TestApp, exam: TestExam, { session }: { session: string }, appareil: string = randomUUID()) {
  const now = () => clock.now().getTime();
  let numero = 0;
  const post = (path: string, payload: object) =>
    call(app, { method: 'POST', url: `/api/concours-blancs/${exam.id}/${path}`, session, payload });
  const send = async (path: 'reponses' | 'remise', answers: Answer[], fields: object = {}) => {
    numero += 1;
    const reponses = answers.map(([question, choice, at = now()]) => ({
      q: exam.questions[question]?.id ?? '',
      g: { choices: [exam.questions[question]?.choices[choice] ?? ''] },
      t: at,
    }));
    return post(path, {
      appareil,
      numero,
      envoye: now(),
      debut: now(),
      reponses,
      ...(path === 'remise' && { fin: 'candidate' }),
      ...fields,
    });
  };
  return {
    appareil,
    start: (debut = now()) => post('participation', { debut, appareil }),
    answer: (answers: Answer[], fields?: object) => send('reponses', answers, fields),
    handIn: (answers: Answer[] = [], fields?: object) => send('remise', answers, fields),
    post,
    /** The choices that the server has, by question: positions in the exam. */
    async known() {
      const { body } = await call(app, { url: `/api/concours-blancs/${exam.id}/participation`, session });
      const { reponses } = JSON.parse(body) as ParticipationView;
      return Object.fromEntries(
        reponses.map(({ q, g }) => {
          const question = exam.questions.findIndex(({ id }) => id === q);
          return [question, 'choices' in g ? exam.questions[question]?.choices.indexOf(g.choices[0] ?? '') : g.typed];
        }),
      );
    },
  };
}
