import { counted, type Remarks } from './remarks.ts';

const WORD = '(?:corrig[ée]e?s?|correction)(?!\\p{L})';
const ALONE = new RegExp(`^${WORD}\\s*[:.]?$`, 'iu');
const HEADING = new RegExp(`^(?:(?:éléments?|proposition) de )?${WORD}`, 'iu');

const textOf = (block: Element): string => (block.textContent ?? '').normalize('NFC').trim();

/** Returns whether a block starts the correction: a heading that begins with the word, or a paragraph that holds only the word. */
const isStart = (block: Element): boolean =>
  /^h[1-6]$/.test(block.localName) ? HEADING.test(textOf(block)) : block.localName === 'p' && ALONE.test(textOf(block));

/**
 * Splits a text where its correction starts, adds a remark, and returns the correction. The start line is dropped when it holds only
 * the word.
 * Returns null when there is no correction, or nothing before or after its start.
 */
export function splitCorrection(root: Element, remarks: Remarks): Element | null {
  const blocks = [...root.children];
  const at = blocks.findIndex(isStart);
  if (at < 1) return null;
  const start = blocks[at] as Element;
  const isWordAlone = ALONE.test(textOf(start));
  const own = blocks.slice(isWordAlone ? at + 1 : at);
  if (own.length === 0) return null;
  const correction = root.ownerDocument.createElement('div');
  correction.append(...own);
  if (isWordAlone) start.remove();
  sayCorrection(blocks.slice(at + 1), remarks);
  return correction;
}

/**
 * Adds the remarks about a correction. @param blocks the correction's blocks after its start line; a further start among them may
 * belong to the statement of another exercise
 */
export function sayCorrection(blocks: readonly Element[], remarks: Remarks): void {
  remarks.say('Le texte qui suit le titre « Corrigé » est devenu le corrigé.');
  const further = blocks.filter(isStart).length;
  if (further === 0) return;
  const others = counted(further, 'autre titre', 'autres titres');
  remarks.say(`Le corrigé contient encore ${others} « Corrigé » : vérifiez qu'aucun énoncé ne s'y trouve.`);
}
