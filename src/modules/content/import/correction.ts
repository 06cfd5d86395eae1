const WORD = '(?:corrig[ée]e?s?|correction)(?!\\p{L})';
const ALONE = new RegExp(`^${WORD}\\s*[:.]?$`, 'iu');
const HEADING = new RegExp(`^(?:(?:éléments?|proposition) de )?${WORD}`, 'iu');

/**
 * Cuts a text where its correction starts: at a heading that begins with the word, or a paragraph that holds nothing else. The line itself goes
 * when it says no more than that. Null when there is none, or nothing stands before or after it.
 */
export function splitCorrection(root: Element): Element | null {
  const blocks = [...root.children];
  const at = blocks.findIndex((block) => {
    const text = (block.textContent ?? '').normalize('NFC').trim();
    return /^h[1-6]$/.test(block.localName) ? HEADING.test(text) : block.localName === 'p' && ALONE.test(text);
  });
  if (at < 1) return null;
  const start = blocks[at] as Element;
  const isWordAlone = ALONE.test((start.textContent ?? '').normalize('NFC').trim());
  const own = blocks.slice(isWordAlone ? at + 1 : at);
  if (own.length === 0) return null;
  const correction = root.ownerDocument.createElement('div');
  correction.append(...own);
  if (isWordAlone) start.remove();
  return correction;
}
