/** The element that the schema reads a formula from: on a line of its own, or in one. */
export function formulaElement(document: Document, latex: string, displayed: boolean): Element {
  const formula = document.createElement(displayed ? 'div' : 'span');
  formula.setAttribute('class', displayed ? 'formula-block' : 'formula');
  formula.setAttribute('data-latex', latex);
  return formula;
}
