import type { QuestionKind } from '../../../src/shared/rich-text/question-kinds.ts';
import type { DocumentJson } from '../items/calls.ts';

interface NodeJson {
  type: string;
  attrs?: Record<string, unknown>;
  content?: NodeJson[];
}

/**
 * Returns a document in which one choice of a question is right or wrong. With several right choices the question has the kind
 * 'several', otherwise that of the file.
 * @param place index of the question's block
 * @param index of the choice among the choices
 * @param kind of the question in the file
 */
export function withChoice(
  document: DocumentJson,
  { place, index, kind }: { place: number; index: number; kind: QuestionKind },
  right: boolean,
) {
  const blocks = document.content as NodeJson[];
  return { ...document, content: blocks.map((block, at) => (at === place ? mended(block, index, kind, right) : block)) };
}

function mended(question: NodeJson, index: number, kind: QuestionKind, right: boolean): NodeJson {
  let count = -1;
  const content = question.content?.map((part) => {
    if (part.type !== 'question_choice') return part;
    count += 1;
    return count === index ? { ...part, attrs: { ...part.attrs, right } } : part;
  });
  const rights = content?.filter(({ type, attrs }) => type === 'question_choice' && attrs?.right === true).length ?? 0;
  return { ...question, attrs: { ...question.attrs, kind: rights > 1 ? 'several' : kind }, content: content ?? [] };
}

export const hasQuestions = ({ content }: DocumentJson): boolean =>
  Array.isArray(content) && content.some((block: NodeJson) => block.type === 'question');
