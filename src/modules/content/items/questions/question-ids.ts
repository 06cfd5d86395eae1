import { createHash, randomInt } from 'node:crypto';
import type { Node } from 'prosemirror-model';
import { questionFault } from '../../../../shared/questions/question-fault.ts';

const digits = 'abcdefghijklmnopqrstuvwxyz0123456789';

/** Returns a new id of a question or a choice. */
const randomId = (): string => Array.from({ length: 12 }, () => digits[randomInt(digits.length)]).join('');

/**
 * Returns a function that gives the same ids to the same questions of an item: by the statement of a question, the text of a choice, and
 * their ordinal among equal ones. Remarks and explanations do not change an id.
 * @param scope names the item
 */
export function idsByContent(scope: string): NewId {
  const known = new Map<string, number>();
  return (node, owner) => {
    const parts: Node[] = [];
    node.forEach((part) => {
      if (!/^question_(?:choice|remark|explanation)$/.test(part.type.name)) parts.push(part);
    });
    const content = JSON.stringify([scope, owner, parts.map((part) => part.toJSON())], withoutNewDefaults);
    const ordinal = known.get(content) ?? 0;
    known.set(content, ordinal + 1);
    const hash = createHash('sha256').update(`${ordinal} ${content}`).digest();
    return Array.from({ length: 12 }, (_, index) => digits[hash.readUInt16BE(index * 2) % digits.length]).join('');
  };
}

/** Leaves out attributes that the schema did not always have, so that questions without them keep their ids. */
const withoutNewDefaults = (name: string, value: unknown): unknown => (name === 'label' && value === null ? undefined : value);

/** Returns the id of a question, or of a choice of the question `owner`. */
type NewId = (node: Node, owner: string | null) => string;

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
export function withQuestionIds(doc: Node, foreign: ReadonlySet<string>, newId: NewId = randomId): Node {
  const seen = new Set<string>(foreign);
  return mapChildren(doc, (question) => {
    if (question.type.name !== 'question') return question;
    const isKept = question.attrs.id && !seen.has(question.attrs.id);
    const id = isKept ? question.attrs.id : newId(question, null);
    seen.add(id);
    const choices = new Set<string>();
    const content = mapChildren(question, (choice) => {
      if (choice.type.name !== 'question_choice') return choice;
      const own = isKept && choice.attrs.id && !choices.has(choice.attrs.id) ? choice.attrs.id : newId(choice, id);
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
