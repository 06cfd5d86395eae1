import type { Node } from 'prosemirror-model';
import type { QuestionKind } from '../rich-text/question-kinds.ts';
import { questionFault } from './question-fault.ts';

/** A question of a document, for the list that a teacher checks before anything is stored. */
export interface FoundQuestion {
  /** Index among the blocks of the document. */
  readonly place: number;
  /** Beginning of the statement. */
  readonly statement: string;
  readonly kind: QuestionKind;
  /** Whether a right answer is given. */
  readonly isAnswered: boolean;
  /** Why the question cannot be asked, in French; null when it can. */
  readonly fault: string | null;
}

/** Returns the questions of a document, in its order. */
export function foundQuestions(doc: Node): FoundQuestion[] {
  const found: FoundQuestion[] = [];
  doc.forEach((block, _offset, place) => {
    if (block.type.name !== 'question') return;
    let statement = '';
    let right = 0;
    block.forEach((part) => {
      if (part.type.name === 'question_statement') statement = plainText(part);
      else if (part.attrs.right === true) right += 1;
    });
    const { kind, value, accepted } = block.attrs;
    const isAnswered = kind === 'number' ? value !== '' : kind === 'text' ? accepted.length > 0 : right > 0;
    found.push({ place, statement: excerpt(statement), kind, isAnswered, fault: questionFault(block) });
  });
  return found;
}

/** Returns the words of a text on one line: formulas as LaTeX, pictures by their description, without the remark of a choice. */
export function plainText(node: Node): string {
  const parts: string[] = [];
  node.forEach((block) => {
    if (block.type.name !== 'question_remark')
      parts.push(block.isLeaf ? leafText(block) : block.textBetween(0, block.content.size, ' ', leafText));
  });
  return parts.join(' ').replaceAll(/\s+/g, ' ').trim();
}

const leafText = ({ attrs: { latex, alt } }: Node): string => (latex ? `$${latex}$` : alt ? `[${alt}]` : ' ');

const excerpt = (text: string): string => (text.length > 120 ? `${text.slice(0, 120).trimEnd()}...` : text);
