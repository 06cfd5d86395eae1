import { randomUUID } from 'node:crypto';
import { parseHTML } from 'linkedom';
import type { Test } from 'tap';
import { recordAnswers } from '../../src/modules/questions/answers/answer.repository.ts';
import type { Given } from '../../src/shared/questions/grade.ts';
import { type TestApp, visit } from './app.ts';
import { assertValidHtml } from './page-checks.ts';
import { choiceQuestion } from './questions.ts';

/** An answer to be stored. */
interface Answered {
  questionId: string;
  given: Given;
  isRight: boolean;
  keyVersion?: number;
}

const textOf = (element: Element | null) => element?.textContent.replaceAll(/\s+/g, ' ').trim() ?? null;

/** Returns choices whose ids are `choiceId` of their places. @param right places of the right ones */
export const choicesOf = (id: string, texts: readonly string[], right: readonly number[]) =>
  texts.map((text, index) => ({ id: choiceId(id, index), text, right: right.includes(index) }));

export const choiceId = (questionId: string, index: number): string => `${questionId.slice(0, 10)}c${index}`;

/** Returns a question with the choices 'juste', 'faux' and 'autre', of which the first is right. */
export const oneOf = (id: string, statement: string): string =>
  choiceQuestion({ id, statement, choices: choicesOf(id, ['juste', 'faux', 'autre'], [0]) });

/** Returns an answer to a question of `oneOf`. @param index the place of the chosen choice; null: 'Je ne sais pas' */
export const chose = (questionId: string, index: number | null, keyVersion = 1): Answered => ({
  questionId,
  given: index === null ? { skipped: true } : { choices: [choiceId(questionId, index)] },
  isRight: index === 0,
  keyVersion,
});

/** Returns a function that reads the administrators' page about the questions of a discipline: one entry for each question. */
export const figuresReader =
  ({ app }: Pick<TestApp, 'app'>, session: string) =>
  async (t: Test, disciplineId: number, query = '') => {
    const { body, statusCode } = await visit(app, `/admin/discipline/${disciplineId}/questions${query}`, session);
    t.equal(statusCode, 200);
    await assertValidHtml(t, body);
    const { document } = parseHTML(body);
    const texts = (within: Element | Document, selector: string) => [...within.querySelectorAll(selector)].map(textOf);
    const questions = [...document.querySelectorAll('.figures__question')].map((question) => ({
      statement: textOf(question.querySelector('h2')),
      href: question.querySelector('h2 a')?.getAttribute('href'),
      sums: texts(question, 'dl > div'),
      marks: texts(question, '.figures__marks li'),
      choices: [...question.querySelectorAll('.figures__choice')].map((choice) => texts(choice, 'span').filter(Boolean).join(' | ')),
      bars: [...question.querySelectorAll('rect')].map((bar) => Number(bar.getAttribute('width'))),
      notes: texts(question, '.record__note'),
    }));
    return { document, body, tabs: texts(document, '.tabs a'), empty: textOf(document.querySelector('.empty')), questions };
  };

/** Returns functions that store answers of learners as their routes do. */
export function answersOf({ kernel, clock }: Pick<TestApp, 'kernel' | 'clock'>, people: readonly { id: string }[]) {
  let seconds = 0;

  /** Stores answers of a learner, each call one second after the last. */
  async function answer(userId: string, answers: readonly Answered[]): Promise<void> {
    seconds += 1;
    const at = new Date(clock.now().getTime() + 1000 * seconds);
    await recordAnswers(
      kernel.fork(),
      userId,
      answers.map(({ keyVersion = 1, ...row }) => ({
        cle: randomUUID(),
        itemVersion: 1,
        context: 'series',
        points: 0,
        at,
        keyVersion,
        ...row,
      })),
    );
  }

  /** Lets the n-th learner give the n-th answer to a question of `oneOf`. */
  async function choseEach(questionId: string, indexes: readonly (number | null)[]): Promise<void> {
    for (const [place, index] of indexes.entries()) await answer(people[place]?.id ?? '', [chose(questionId, index)]);
  }

  return { answer, choseEach };
}

/** Reads a CSV of the site by its headers. */
export function readCsv({ body }: { body: string }): Record<string, string>[] {
  const [headers = [], ...rows] = body
    .replace('\ufeff', '')
    .trimEnd()
    .split('\r\n')
    .map((line) =>
      Array.from(
        line.matchAll(/(?:^|;)(?:"((?:[^"]|"")*)"|([^;]*))/g),
        ([, quoted, plain]) => quoted?.replaceAll('""', '"') ?? plain ?? '',
      ),
    );
  return rows.map((row) => Object.fromEntries(headers.map((header, index) => [header, row[index] ?? ''])));
}
