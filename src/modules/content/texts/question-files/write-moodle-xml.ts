import type { Node } from 'prosemirror-model';
import { escapeMarkup } from '../../../../shared/escapes.ts';
import { readNumber } from '../../../../shared/questions/number.ts';
import { absoluteTolerance, commentOf, type OwnNote } from './own-note.ts';
import { nameOf, type PictureFile, type Pictures, partsOf, storedPicture, writtenHtml } from './written-html.ts';

/**
 * Returns questions as Moodle XML. What Moodle does not know (`3,5`, `2 %`) stands in a comment, and is read back from it.
 * @param pictures are put into the file; others keep their address
 */
export const writeMoodleXml = (questions: readonly Node[], pictures: Pictures = new Map()): string =>
  `<?xml version="1.0" encoding="UTF-8"?>\n<quiz>\n${questions.map((node) => question(node, pictures)).join('')}</quiz>\n`;

const TYPES = { one: 'multichoice', several: 'multichoice', number: 'numerical', text: 'shortanswer' } as const;

// biome-ignore lint/suspicious/noControlCharactersInRegex: XML allows no other control characters
const FORBIDDEN = /[\u0000-\u0008\u000b-\u001f\ufffe\uffff]/g;
/** Characters that XML readers turn into a new line. */
const LINES = /[\u0085\u2028\u2029]/g;

const text = (value: string): string =>
  escapeMarkup(value.replaceAll(FORBIDDEN, '')).replaceAll(LINES, (character) => `&#${character.charCodeAt(0)};`);

function question(node: Node, pictures: Pictures): string {
  const rich = (name: string, blocks: readonly Node[], attributes = ''): string =>
    `<${name}${attributes} format="html">${blocks.length > 0 ? textWithFiles(writtenHtml(blocks), pictures) : '<text></text>'}`;
  const html = (name: string, blocks: readonly Node[]): string => `${rich(name, blocks)}</${name}>`;
  const { kind, points, fixed, value, tolerance, unit, accepted } = node.attrs as {
    kind: keyof typeof TYPES;
    points: number;
    fixed: boolean;
    value: string;
    tolerance: string;
    unit: string;
    accepted: string[];
  };
  const { statement, explanation, choices } = partsOf(node);
  const lines = [
    `<name><text>${text(nameOf(node))}</text></name>`,
    html('questiontext', statement),
    html('generalfeedback', explanation),
    `<defaultgrade>${points}</defaultgrade>`,
    '<penalty>0</penalty>',
  ];
  const note: OwnNote = kind === 'number' ? { value, tolerance, unit, fixed } : { fixed };
  if (kind === 'number' || (fixed && kind === 'text')) lines.unshift(`<!--${commentOf(note)}-->`);
  if (kind === 'number') {
    const amount = absoluteTolerance(value, tolerance) ?? 0;
    lines.push(
      `<answer fraction="100" format="moodle_auto_format"><text>${readNumber(value) ?? ''}</text><tolerance>${amount}</tolerance></answer>`,
    );
    if (unit !== '') lines.push(`<units><unit><multiplier>1</multiplier><unit_name>${text(unit)}</unit_name></unit></units>`);
  } else if (kind === 'text') {
    lines.push('<usecase>0</usecase>');
    for (const answer of accepted) lines.push(`<answer fraction="100" format="moodle_auto_format"><text>${text(answer)}</text></answer>`);
  } else {
    lines.push(
      `<single>${kind === 'one'}</single>`,
      `<shuffleanswers>${!fixed}</shuffleanswers>`,
      '<answernumbering>abc</answernumbering>',
    );
    const right = choices.filter((choice) => choice.right).length;
    for (const choice of choices) {
      const fraction = fractionOf(choice.right, kind === 'one' ? 1 : right, kind === 'one');
      lines.push(`${rich('answer', choice.blocks, ` fraction="${fraction}"`)}${html('feedback', choice.remark)}</answer>`);
    }
  }
  return `<question type="${TYPES[kind]}">\n${lines.join('\n')}\n</question>\n`;
}

/** Returns a text, and below it the pictures that it shows. */
function textWithFiles(html: string, pictures: Pictures): string {
  const shown = new Map<string, PictureFile>();
  const written = html.replaceAll(storedPicture, (address) => {
    const picture = pictures.get(address);
    if (!picture) return address;
    shown.set(address, picture);
    return `@@PLUGINFILE@@/${picture.name}`;
  });
  const files = [...shown.values()].map(({ name, base64 }) => `<file name="${name}" path="/" encoding="base64">${base64}</file>`);
  return `<text>${text(written)}</text>${files.join('')}`;
}

/**
 * Returns the share of the points that a ticked choice gives, in percent. Where several are right, a wrong one takes away as much as a
 * right one gives: otherwise ticking all would give all points.
 */
export function fractionOf(isRight: boolean, right: number, isSingle: boolean): number {
  const share = Math.round(10_000_000 / Math.max(1, right)) / 100_000;
  return isRight ? share : isSingle || right === 0 ? 0 : -share;
}
