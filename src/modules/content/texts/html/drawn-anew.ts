import { FormulaError, formulaSource, renderFormula } from '../formulas/mathml.ts';
import { htmlWith } from './canonical.ts';
import { readOwnHtml } from './reader.ts';

/**
 * Canonical HTML with its formulas as they are drawn today; nothing else of it changes.
 * @returns null for HTML that is not ours, or with a formula that has been drawn and cannot be any more: it is better left as it is
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
