import type { Node } from 'prosemirror-model';
import { documentFromJson } from '../../src/shared/rich-text/document.ts';

const plain = (node: Node): string => {
  const parts: string[] = [];
  node.forEach((child) => {
    if (child.isText) parts.push(child.text ?? '');
    else if (child.type.name === 'hard_break') parts.push(' / ');
    else if (/^formula/.test(child.type.name)) parts.push(`${child.isBlock && parts.length > 0 ? ' ¶ ' : ''}[${child.attrs.latex}]`);
    else if (child.type.name === 'question_remark') parts.push(`{${plain(child)}}`);
    else parts.push(parts.length > 0 && child.isBlock ? ` ¶ ${plain(child)}` : plain(child) || `<${child.type.name}>`);
  });
  return parts.join('');
};

function shown(node: Node): string {
  if (node.type.name !== 'question') return `${node.type.name}: ${plain(node)}`;
  const { kind, points, fixed, value, tolerance, unit, accepted } = node.attrs;
  let text = `${kind}${points === 1 ? '' : ` (${points})`}${fixed ? ' fixed' : ''}`;
  node.forEach((part) => {
    if (part.type.name === 'question_statement') text += ` ${plain(part)}`;
    else if (part.type.name === 'question_choice') text += ` | ${part.attrs.right ? '*' : ''}${plain(part)}`;
    else text += ` >> ${plain(part)}`;
  });
  if (kind === 'number') text += ` = ${value} ± ${tolerance || 0} ${unit}`.trimEnd();
  return accepted.length > 0 ? `${text} = ${accepted.join(' = ')}` : text;
}

/**
 * Returns the blocks of a document, a question on one line: kind (points) statement | choices, right ones with a star, remarks in braces
 * >> explanation.
 */
export const shownBlocks = (json: unknown): string[] => {
  const blocks: string[] = [];
  documentFromJson(json).forEach((block) => {
    blocks.push(shown(block));
  });
  return blocks;
};
