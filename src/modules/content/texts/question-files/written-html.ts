import type { Node } from 'prosemirror-model';
import { escapeText } from '../../../../shared/escapes.ts';
import { richTextSchema } from '../../../../shared/rich-text/schema.ts';
import { htmlWith } from '../html/canonical.ts';
import { plainTextClass } from './formulas-in-html.ts';

const TAGS = /(<(?:code)\b[^>]*>[\s\S]*?<\/code>|<(span|div) class="formula(?:-block)?"[^>]*>[\s\S]*?<\/\2>|<[^<>]*>)/;

/** Blanks that HTML from elsewhere has as layout, and separators of lines, which text files do not keep. */
const BLANKS = /[\t\n\u2028\u2029]|(?<= ) /g;

/**
 * Returns blocks as HTML for Moodle: canonical HTML with formulas as `\(…\)` and `\[…\]`, which Moodle's MathJax draws. Dollars and
 * backslashes of the text itself are set apart from them, and blanks that must be kept are written as numbers.
 */
export function writtenHtml(blocks: readonly Node[]): string {
  const html = htmlWith(richTextSchema.nodes.doc.create(null, [...blocks]), (latex, display) =>
    escapeText(display ? `\\[${latex}\\]` : `\\(${latex}\\)`),
  );
  const pieces = html.split(TAGS);
  // Each match gives three pieces: the text before it, the match, and the name in it.
  const written = pieces
    .map((piece, index) => {
      if (index % 3 === 2) return '';
      return index % 3 === 1 ? piece : piece.replaceAll(/[$\\]+/g, `<span class="${plainTextClass}">$&</span>`);
    })
    .join('');
  return written.replaceAll(BLANKS, (character) => `&#${character.charCodeAt(0)};`);
}

/** A stored picture, for a file that holds its pictures. */
export interface PictureFile {
  readonly name: string;
  readonly base64: string;
}

/** Pictures by their address in the text. */
export type Pictures = ReadonlyMap<string, PictureFile>;

/** Address of a picture of the site in canonical HTML. */
export const storedPicture = /(?<=<img src=")\/media\/content\/[0-9a-f]{32}\.webp(?=")/g;

/** Returns the parts of a question node. */
export function partsOf(question: Node) {
  const statement: Node[] = [];
  const explanation: Node[] = [];
  const choices: { blocks: Node[]; remark: Node[]; right: boolean }[] = [];
  question.forEach((part) => {
    const blocks: Node[] = [];
    let remark: Node[] = [];
    part.forEach((block) => {
      if (block.type.name === 'question_remark') remark = childrenOf(block);
      else blocks.push(block);
    });
    if (part.type.name === 'question_statement') statement.push(...blocks);
    else if (part.type.name === 'question_choice') choices.push({ blocks, remark, right: part.attrs.right });
    else explanation.push(...blocks);
  });
  return { statement, explanation, choices };
}

function childrenOf(parent: Node): Node[] {
  const children: Node[] = [];
  parent.forEach((child) => {
    children.push(child);
  });
  return children;
}

/** Returns the name under which Moodle lists a question: the beginning of its statement on one line, without signs of formulas. */
export function nameOf(question: Node): string {
  const text = question
    .child(0)
    .textBetween(0, question.child(0).content.size, ' ')
    .replaceAll(/[\s\p{Cc}$\\]+/gu, ' ')
    .trim();
  return text.slice(0, 80).toWellFormed() || 'Question';
}
