import t from 'tap';
import { richTextSchema } from '../../../../shared/rich-text/schema.ts';
import { idsByContent, questionIds, withQuestionIds } from './question-ids.ts';

const paragraph = (text: string) => ({ type: 'paragraph', content: [{ type: 'text', text }] });
const idWith = (label?: string): string | undefined => {
  const list = {
    type: 'ordered_list',
    attrs: { order: 2, ...(label && { label }) },
    content: [{ type: 'list_item', content: [paragraph('Quatre')] }],
  };
  const question = {
    type: 'question',
    attrs: { kind: 'one' },
    content: [
      { type: 'question_statement', content: [list] },
      { type: 'question_choice', content: [paragraph('oui')] },
      { type: 'question_choice', attrs: { right: true }, content: [paragraph('non')] },
    ],
  };
  const doc = richTextSchema.nodeFromJSON({ type: 'doc', content: [question] });
  return questionIds(withQuestionIds(doc, new Set(), idsByContent('maths/1')))?.[0];
};

t.test('a question keeps the id that it had before lists had labels', async (t) => {
  // The id that the version before labels gave to this question: learners' answers are stored under it.
  t.equal(idWith(), 'xy0v5xid5yzj');
  t.not(idWith('a)'), idWith(), 'another label is another statement');
});
