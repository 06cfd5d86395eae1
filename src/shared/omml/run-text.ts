import { elementsOf, nameOf } from './xml.ts';

/** Returns the characters of a run; breaks and tabs become spaces. */
export function textOf(run: Element): string {
  return elementsOf(run)
    .map((element) => (nameOf(element) === 't' ? (element.textContent ?? '') : /^(?:br|tab|cr)$/.test(nameOf(element)) ? ' ' : ''))
    .join('');
}

/** Joins runs of one number, which Word may split: 0 and .5. */
export function joinedNumbers(elements: readonly Element[]): (Element | { text: string; run: Element })[] {
  const joined: (Element | { text: string; run: Element })[] = [];
  for (const element of elements) {
    const last = joined.at(-1);
    const text = nameOf(element) === 'r' ? textOf(element) : '';
    const before = last && ('run' in last ? last.text : nameOf(last) === 'r' ? textOf(last) : '');
    if (
      last &&
      before &&
      /^[\d.,]+$/.test(text) &&
      /\d[.,]?$/.test(before) &&
      !(/\d$/.test(before) && /^[.,]$/.test(text) && !isFollowedByDigit(element))
    ) {
      joined[joined.length - 1] = { text: before + text, run: 'run' in last ? last.run : last };
    } else joined.push(element);
  }
  return joined;
}

function isFollowedByDigit(element: Element): boolean {
  let next = element.nextSibling;
  while (next && next.nodeType !== 1) next = next.nextSibling;
  return next !== null && nameOf(next) === 'r' && /^\d/.test(textOf(next as Element));
}
