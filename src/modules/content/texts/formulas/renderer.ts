import { excerpt, unreadableFormula } from '../../../../shared/rich-text/remark-forms.ts';
import type { Remarks } from '../remarks.ts';
import { FormulaError, formulaSource, renderFormula } from './mathml.ts';

/** Time limit for all formulas of one save, in ms. 1,000 ordinary formulas take less than one second. */
const timeLimitMs = 5_000;

/** Renders the formulas of a save within one time limit. Identical formulas are rendered once. */
export class FormulaRenderer {
  readonly #rendered = new Map<string, string>();
  readonly #remarks: Remarks;
  #spentMs = 0;

  constructor(remarks: Remarks) {
    this.#remarks = remarks;
  }

  /** Returns the MathML of a formula. A formula that cannot be rendered stays as LaTeX, with a remark. */
  render(latex: string, display: boolean): string {
    const key = `${display ? 'D' : 'T'}${latex}`;
    const known = this.#rendered.get(key);
    if (known !== undefined) return known;
    const start = performance.now();
    const rendered = this.#spentMs < timeLimitMs ? this.#one(latex, display) : this.#late(latex);
    this.#rendered.set(key, rendered);
    this.#spentMs += performance.now() - start;
    return rendered;
  }

  #one(latex: string, display: boolean): string {
    try {
      return renderFormula(latex, display);
    } catch (error) {
      if (!(error instanceof FormulaError)) throw error;
      this.#remarks.sayWithCount(`${unreadableFormula}${excerpt(latex)} (${error.message})`);
      return formulaSource(latex);
    }
  }

  #late(latex: string): string {
    this.#remarks.sayWithCount('Des formules trop longues à dessiner sont gardées telles quelles : partagez le texte ou simplifiez-les');
    return formulaSource(latex);
  }
}
