import type { Node } from 'prosemirror-model';
import { richTextSchema } from '../../src/shared/rich-text/schema.ts';
import type { Random } from './random.ts';
import { randomDocument } from './random-documents.ts';

const VALUES = ['3,5', '7/2', '−4', '12 000', '1,2e3', '0', '0.25'];
const TOLERANCES = ['', '0,1', '2 %', '5'];
const UNITS = ['', 'm/s', 'kg', '°C', 'l"unité" & <co> -- 1'];
const ANSWERS = [
  'Yaoundé',
  "l'État",
  'a = b',
  '50 %',
  'x -> y',
  '{1, 2}',
  '# 3',
  '~ 4',
  'a\\b',
  '$x$',
  '<b>',
  'œuvre & "arts"',
  '%50%',
  '// 1',
];

/** Returns a random question without ids, complete enough to be asked; the same `random` gives the same question. */
export function randomQuestion(random: Random): Node {
  const { nodes } = richTextSchema;
  const below = (limit: number): number => Math.floor(random() * limit);
  const pick = <T>(values: readonly T[]): T => values[below(values.length)] as T;
  const blocks = (): Node[] => {
    const found: Node[] = [];
    // Pictures of the text itself are not in an exported file: their addresses are.
    while (found.length === 0)
      randomDocument(random).forEach((block) => {
        if (block.type.name !== 'question' && found.length < 2 && !JSON.stringify(block.toJSON()).includes('data:image')) found.push(block);
      });
    return found;
  };
  const kind = pick(['one', 'one', 'several', 'several', 'number', 'text'] as const);
  const count = 2 + below(5);
  const single = below(count);
  const choices = Array.from({ length: kind === 'one' || kind === 'several' ? count : 0 }, (_, index) =>
    nodes.question_choice.create({ right: kind === 'one' ? index === single : index === single || random() < 0.4 }, [
      ...blocks(),
      ...(random() < 0.3 ? [nodes.question_remark.create(null, blocks())] : []),
    ]),
  );
  return nodes.question.create(
    {
      kind,
      points: pick([1, 1, 2, 0.5]),
      fixed: random() < 0.2,
      ...(kind === 'number' && { value: pick(VALUES), tolerance: pick(TOLERANCES), unit: pick(UNITS) }),
      ...(kind === 'text' && { accepted: Array.from({ length: 1 + below(3) }, () => pick(ANSWERS)) }),
    },
    [
      nodes.question_statement.create(null, blocks()),
      ...choices,
      ...(random() < 0.5 ? [nodes.question_explanation.create(null, blocks())] : []),
    ],
  );
}
