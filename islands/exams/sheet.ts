import { normalGiven } from '../../src/shared/exams/normal-given.ts';
import type { SittingRecord } from '../../src/shared/exams/phone/sitting-record.ts';
import type { Given } from '../../src/shared/questions/grade.ts';

/** Pause of typing after which a text is kept, in ms. */
const typingMs = 800;

const questions = (sheet: Element): HTMLElement[] => [...sheet.querySelectorAll<HTMLElement>('[data-asked]')];
const idOf = (question: HTMLElement): string => question.id.slice(2);
const fieldsOf = (question: HTMLElement): HTMLInputElement[] => [...question.querySelectorAll('input')];

/** Returns what a question's fields hold; null for no answer and for 'Je ne sais pas'. */
function givenIn(question: HTMLElement): Given | null {
  const fields = fieldsOf(question);
  const text = fields.find(({ type }) => type === 'text');
  if (text) return normalGiven({ typed: text.value });
  return normalGiven({ choices: fields.filter(({ checked, value }) => checked && value !== '').map(({ value }) => value) });
}

/** Calls `keep` with each answer of the candidate, a typed one after a pause too. @returns a function that keeps at once what is being typed */
export function watchSheet(sheet: HTMLElement, keep: (question: string, given: Given | null) => void): () => void {
  let typing: { question: HTMLElement; timer: number } | null = null;
  const finish = () => {
    if (!typing) return;
    clearTimeout(typing.timer);
    const { question } = typing;
    typing = null;
    keep(idOf(question), givenIn(question));
  };
  sheet.addEventListener('input', ({ target }) => {
    const question = (target as HTMLElement).closest<HTMLElement>('[data-asked]');
    if (!question) return;
    if (typing?.question !== question) finish();
    clearTimeout(typing?.timer);
    typing = { question, timer: window.setTimeout(finish, (target as HTMLInputElement).type === 'text' ? typingMs : 0) };
  });
  sheet.addEventListener('change', finish);
  return finish;
}

/** Shows the answers of a record in the fields, but in the one that the candidate is typing in. */
export function fillSheet(sheet: HTMLElement, answers: SittingRecord['answers']): void {
  for (const question of questions(sheet)) {
    const given = answers[idOf(question)]?.g;
    if (given === undefined) continue;
    for (const field of fieldsOf(question)) {
      if (field === document.activeElement && field.type === 'text') continue;
      if (field.type === 'text') field.value = given && 'typed' in given ? given.typed : '';
      else if (field.value !== '') field.checked = !!given && 'choices' in given && given.choices.includes(field.value);
    }
  }
}

/** The answers stay readable. */
export function lockSheet(sheet: HTMLElement, isLocked: boolean): void {
  for (const field of sheet.querySelectorAll('input')) field.disabled = isLocked;
}

/** Returns the number of each question, the id of its element, and whether its fields hold an answer. */
export const questionStates = (sheet: HTMLElement): { number: number; id: string; isAnswered: boolean }[] =>
  questions(sheet).map((question, index) => ({ number: index + 1, id: question.id, isAnswered: givenIn(question) !== null }));
