import type { Node } from 'prosemirror-model';
import type { QuestionKind } from '../../../../shared/rich-text/question-kinds.ts';
import { richTextSchema } from '../../../../shared/rich-text/schema.ts';
import type { TypedAnswer } from './typed-answer.ts';

const { nodes } = richTextSchema;

interface QuestionParts {
  readonly start: { readonly points: number | null } | null;
  readonly statement: readonly Node[];
  readonly choices: readonly { readonly blocks: readonly Node[]; readonly remark: readonly Node[] }[];
  readonly typed: TypedAnswer | null;
  readonly explanation: readonly Node[];
}

/** Returns the `question` node of a recognised question. @param said kind that the document announces */
export function questionNode(
  parts: QuestionParts,
  right: readonly number[],
  said: 'one' | 'several' | null,
  fromKey: readonly Node[],
): Node {
  const chosen: QuestionKind = right.length > 1 || (said === 'several' && parts.choices.length > 2) ? 'several' : 'one';
  return nodes.question.create({ kind: chosen, ...parts.typed, points: parts.start?.points || 1 }, [
    nodes.question_statement.create(null, parts.statement),
    ...parts.choices.map(({ blocks, remark }, index) =>
      nodes.question_choice.create({ right: right.includes(index) }, [
        ...blocks,
        ...(remark.length > 0 ? [nodes.question_remark.create(null, remark)] : []),
      ]),
    ),
    ...explanationNodes([...parts.explanation, ...fromKey]),
  ]);
}

const explanationNodes = (blocks: readonly Node[]): Node[] => (blocks.length > 0 ? [nodes.question_explanation.create(null, blocks)] : []);
