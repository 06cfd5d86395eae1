import type { Node } from 'prosemirror-model';
import { readNumber } from '../../../../shared/questions/number.ts';
import { absoluteTolerance, commentOf, type OwnNote } from './own-note.ts';
import { fractionOf } from './write-moodle-xml.ts';
import { nameOf, partsOf, storedPicture, writtenHtml } from './written-html.ts';

/**
 * Returns questions as GIFT. What GIFT does not know (points, `2 %`, the order of choices) stands in a comment, and is read back from it.
 * @param origin of the site, before the addresses of its pictures: GIFT holds no pictures
 */
export const writeGift = (questions: readonly Node[], origin = ''): string => questions.map((node) => question(node, origin)).join('\n');

/** Returns text with GIFT's signs escaped, on one line: a blank line would end the question. */
const escaped = (text: string): string => text.replaceAll(/[~=#{}:\\]/g, '\\$&').replaceAll('\n', '\\n');

function question(node: Node, origin: string): string {
  const html = (blocks: readonly Node[]): string =>
    `[html]${escaped(writtenHtml(blocks).replaceAll(storedPicture, (address) => origin + address))}`;
  const { kind, points, fixed, value, tolerance, unit, accepted } = node.attrs;
  const { statement, explanation, choices } = partsOf(node);
  const right = choices.filter((choice) => choice.right).length;
  const answers: string[] = [];
  if (kind === 'number') {
    const amount = absoluteTolerance(value, tolerance) ?? 0;
    answers.push(`#${readNumber(value) ?? ''}${amount > 0 ? `:${amount}` : ''}`);
  } else if (kind === 'text') for (const answer of accepted) answers.push(`=%100%${escaped(answer)}`);
  else
    for (const choice of choices) {
      const remark = choice.remark.length > 0 ? `#${html(choice.remark)}` : '';
      const fraction = fractionOf(choice.right, right, false);
      const sign = kind === 'one' ? (choice.right ? '=' : '~') : `~%${fraction}%`;
      answers.push(`${sign}${html(choice.blocks)}${remark}`);
    }
  if (explanation.length > 0) answers.push(`####${html(explanation)}`);
  const note: OwnNote = { kind, points, ...(fixed && { fixed }), ...(kind === 'number' && { value, tolerance, unit }) };
  return `// ${commentOf(note)}\n::${escaped(nameOf(node))}::${html(statement)}{\n${answers.map((answer) => `\t${answer}\n`).join('')}}\n`;
}
