/** Returns the text of an element without its formulas. */
export function wordsOf(element: Element): string {
  const text = element.textContent ?? '';
  const formulas = [...element.querySelectorAll('[data-latex]')].map((formula) => formula.textContent ?? '').join('');
  return text.length === formulas.length ? '' : text.trim();
}

/** Replaces a header cell by a data cell. Screen readers would announce a header that is empty or holds only a formula without a name. */
export function asDataCell(header: Element): void {
  const cell = header.ownerDocument.createElement('td');
  for (const { name, value } of [...header.attributes]) cell.setAttribute(name, value);
  cell.append(...header.childNodes);
  header.replaceWith(cell);
}
