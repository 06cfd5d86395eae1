import { counted, type Remarks } from './remarks.ts';

const WORD = '(?:corrig[ée]e?s?|correction)(?!\\p{L})';
const ALONE = new RegExp(`^${WORD}\\s*[:.]?$`, 'iu');
const HEADING = new RegExp(`^(?:(?:éléments?|proposition) de )?${WORD}`, 'iu');

const textOf = (block: Element): string => (block.textContent ?? '').normalize('NFC').trim();

/** A heading that begins with the word, or a paragraph that holds nothing else. */
const isStart = (block: Element): boolean =>
  /^h[1-6]$/.test(block.localName) ? HEADING.test(textOf(block)) : block.localName === 'p' && ALONE.test(textOf(block));

/**
 * Cuts a text where its correction starts, and says so. The line itself goes when it says no more than that. Null when there is none, or nothing
 * stands before or after it.
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

/** @param blocks of the correction, after the line where it starts: another start among them may follow a statement that belongs to the text */
export function sayCorrection(blocks: readonly Element[], remarks: Remarks): void {
  remarks.say('Le texte qui suit le titre « Corrigé » est devenu le corrigé.');
  const further = blocks.filter(isStart).length;
  if (further === 0) return;
  const others = counted(further, 'autre titre', 'autres titres');
  remarks.say(`Le corrigé contient encore ${others} « Corrigé » : vérifiez qu'aucun énoncé ne s'y trouve.`);
}
