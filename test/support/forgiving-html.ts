import type { Node } from 'prosemirror-model';
import { FormulaError, formulaSource, renderFormula } from '../../src/modules/content/texts/formulas/mathml.ts';
import { htmlWith } from '../../src/modules/content/texts/html/canonical.ts';

/** Returns MathML, or the LaTeX source of a formula that cannot be rendered. */
export function renderFormulaOrSource(latex: string, display: boolean): string {
  try {
    return renderFormula(latex, display);
  } catch (error) {
    if (error instanceof FormulaError) return formulaSource(latex);
    throw error;
  }
}

/** Returns canonical HTML in which formulas that cannot be rendered remain LaTeX. */
export const forgivingHtml = (doc: Node): string => htmlWith(doc, renderFormulaOrSource);
