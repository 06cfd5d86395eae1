/** Returns the element from which the schema reads a formula: a block, or inline. */
export function formulaElement(document: Document, latex: string, displayed: boolean): Element {
  const formula = document.createElement(displayed ? 'div' : 'span');
  formula.setAttribute('class', displayed ? 'formula-block' : 'formula');
  formula.setAttribute('data-latex', latex);
  return formula;
}
