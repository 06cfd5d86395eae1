import { FormulaError, formulaSource, renderFormula } from '../formulas/mathml.ts';
import { htmlWith } from './canonical.ts';
import { readOwnHtml } from './reader.ts';

/**
 * Returns canonical HTML with its formulas rendered by this release; nothing else changes.
 * @returns null when the HTML is not canonical, or when this release cannot render a formula that is rendered in `html`. The caller should
 *   then leave the text unchanged.
 */
export function drawnAnew(html: string): string | null {
  const doc = readOwnHtml(html);
  if (!doc) return null;
  let lost = false;
  const drawn = htmlWith(doc, (latex, display) => {
    try {
      return renderFormula(latex, display);
    } catch (error) {
      if (!(error instanceof FormulaError)) throw error;
      const source = formulaSource(latex);
      lost ||= !html.includes(source);
      return source;
    }
  });
  return lost ? null : drawn;
}
