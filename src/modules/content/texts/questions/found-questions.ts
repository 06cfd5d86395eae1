import type { Node } from 'prosemirror-model';
import type { QuestionKind } from '../../../../shared/rich-text/question-kinds.ts';
import { excerpt } from '../remarks.ts';

/** A question of an imported document, for the list that a teacher checks before anything is stored. */
export interface FoundQuestion {
  /** Beginning of the statement. */
  readonly statement: string;
  readonly kind: QuestionKind;
  /** Whether a right answer is marked. */
  readonly isAnswered: boolean;
}

/** Returns the questions of a document, in its order. */
export function foundQuestions(doc: Node): FoundQuestion[] {
  const found: FoundQuestion[] = [];
  doc.forEach((block) => {
    if (block.type.name !== 'question') return;
    let statement = '';
    let right = 0;
    block.forEach((part) => {
      if (part.type.name === 'question_statement') statement = part.textBetween(0, part.content.size, ' ');
      else if (part.attrs.right === true) right += 1;
    });
    const { kind, value, accepted } = block.attrs;
    const isAnswered = kind === 'number' ? value !== '' : kind === 'text' ? accepted.length > 0 : right > 0;
    found.push({ statement: excerpt(statement.replaceAll(/\s+/g, ' ').trim()), kind, isAnswered });
  });
  return found;
}
