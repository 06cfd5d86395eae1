const REFERENCE = /^\[(\d{1,5})\]$/;

/**
 * After a text was split from its correction: moves the notes at the end of `from` to the end of each text that refers to them, and
 * numbers them from 1 in each.
 */
export function shareNotes(from: Element, texts: readonly Element[]): void {
  const list = from.lastElementChild;
  const heading = list?.previousElementSibling;
  if (!list || !heading) return;
  const items = [...list.children];
  list.remove();
  heading.remove();
  for (const text of texts) {
    const own = referredTo(text, items);
    if (own.length === 0) continue;
    const ordered = text.ownerDocument.createElement('ol');
    ordered.append(...own.map((number) => (items[number - 1] as Element).cloneNode(true)));
    text.append(heading.cloneNode(true), ordered);
    for (const { element, number } of referencesIn(text)) {
      const place = own.indexOf(number);
      if (place !== -1) element.textContent = `[${place + 1}]`;
    }
  }
}

/** Returns the numbers of the notes that a text refers to, directly or from one of those notes, in order of reference. */
function referredTo(text: Element, items: readonly Element[]): number[] {
  const found: number[] = [];
  const look = (element: Element): void => {
    for (const { number } of referencesIn(element)) {
      const item = items[number - 1];
      if (!item || found.includes(number)) continue;
      found.push(number);
      look(item);
    }
  };
  look(text);
  return found.toSorted((a, b) => a - b);
}

function referencesIn(element: Element): { element: Element; number: number }[] {
  return [...element.querySelectorAll('sup')].flatMap((found) => {
    const [, digits] = REFERENCE.exec(found.textContent ?? '') ?? [];
    return digits === undefined ? [] : [{ element: found, number: Number(digits) }];
  });
}
