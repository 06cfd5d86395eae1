import { randomInt } from 'node:crypto';
import type { Node } from 'prosemirror-model';
import { questionFault } from '../../../../shared/questions/question-fault.ts';

const digits = 'abcdefghijklmnopqrstuvwxyz0123456789';

/** Returns a new id of a question or a choice. */
const newQuestionId = (): string => Array.from({ length: 12 }, () => digits[randomInt(digits.length)]).join('');

/** Returns the ids that the questions of a document have already; null for a document without questions. */
export function questionIds(doc: Node): string[] | null {
  const ids: (string | null)[] = [];
  doc.forEach(({ type, attrs }) => {
    if (type.name === 'question') ids.push(attrs.id);
  });
  return ids.length === 0 ? null : ids.filter((id) => id !== null);
}

/**
 * Returns the document with an id for each question and each choice. A copied question gets a new id, and so do its choices.
 * A question with a fault is marked as unusable.
 * @param foreign ids of questions that belong to other items
 */
export function withQuestionIds(doc: Node, foreign: ReadonlySet<string>, newId = newQuestionId): Node {
  const seen = new Set<string>(foreign);
  return mapChildren(doc, (question) => {
    if (question.type.name !== 'question') return question;
    const isKept = question.attrs.id && !seen.has(question.attrs.id);
    const id = isKept ? question.attrs.id : newId();
    seen.add(id);
    const choices = new Set<string>();
    const content = mapChildren(question, (choice) => {
      if (choice.type.name !== 'question_choice') return choice;
      const own = isKept && choice.attrs.id && !choices.has(choice.attrs.id) ? choice.attrs.id : newId();
      choices.add(own);
      return choice.type.create({ ...choice.attrs, id: own }, choice.content, choice.marks);
    });
    const unusable = questionFault(content) !== null;
    return question.type.create({ ...question.attrs, id, unusable }, content.content, question.marks);
  });
}

function mapChildren(parent: Node, change: (child: Node) => Node): Node {
  const children: Node[] = [];
  parent.forEach((child) => {
    children.push(change(child));
  });
  return parent.type.create(parent.attrs, children, parent.marks);
}
