import type { Node } from 'prosemirror-model';
import { FormulaError, formulaSource, renderFormula } from '../../src/modules/content/texts/formulas/mathml.ts';
import { htmlWith } from '../../src/modules/content/texts/html/canonical.ts';

/** MathML, or the LaTeX itself of a formula that cannot be shown. */
export function renderFormulaOrSource(latex: string, display: boolean): string {
  try {
    return renderFormula(latex, display);
  } catch (error) {
    if (error instanceof FormulaError) return formulaSource(latex);
    throw error;
  }
}

/** Canonical HTML in which a formula that cannot be shown stays as its LaTeX. */
export const forgivingHtml = (doc: Node): string => htmlWith(doc, renderFormulaOrSource);
