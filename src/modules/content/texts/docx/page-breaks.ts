import { descendants, nameOf } from './xml.ts';

/** Distinguishes page breaks within a sentence from those between paragraphs. */
export class PageBreaks {
  /** Page breaks of each paragraph that have text before and after them. */
  readonly #inTexts = new WeakMap<Node, ReadonlySet<Element>>();

  isInText(part: Element): boolean {
    let paragraph: Node | null = part;
    while (paragraph && nameOf(paragraph) !== 'w:p') paragraph = paragraph.parentNode;
    if (!paragraph) return false;
    const known = this.#inTexts.get(paragraph) ?? betweenTexts(paragraph as Element);
    this.#inTexts.set(paragraph, known);
    return known.has(part);
  }
}

function betweenTexts(paragraph: Element): Set<Element> {
  const inside = descendants(paragraph, 'w:t', 'w:br');
  const isText = (element: Element): boolean => (element.textContent ?? '').trim() !== '';
  const [first, last] = [inside.findIndex(isText), inside.findLastIndex(isText)];
  return new Set(inside.slice(first + 1, Math.max(first + 1, last)));
}
