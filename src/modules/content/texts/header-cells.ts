/** The text of an element without its formulas. */
export function wordsOf(element: Element): string {
  const text = element.textContent ?? '';
  const formulas = [...element.querySelectorAll('[data-latex]')].map((formula) => formula.textContent ?? '').join('');
  return text.length === formulas.length ? '' : text.trim();
}

/** A header of nothing, or of a formula alone, would be announced by a screen reader without a name. */
export function asDataCell(header: Element): void {
  const cell = header.ownerDocument.createElement('td');
  for (const { name, value } of [...header.attributes]) cell.setAttribute(name, value);
  cell.append(...header.childNodes);
  header.replaceWith(cell);
}
