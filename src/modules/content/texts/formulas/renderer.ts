import { setImmediate } from 'node:timers/promises';
import type { Node } from 'prosemirror-model';
import { escapeText, type Renderers } from '../../../../shared/rich-text/serialise.ts';
import { excerpt, type Remarks } from '../remarks.ts';
import { FormulaError, renderFormula } from './mathml.ts';

/** How long all formulas of one save may take, in ms; 1,000 ordinary ones take less than one second. */
const timeLimitMs = 5_000;
/** After how long other requests get their turn, in ms. */
const turnMs = 50;

/** Renders the formulas of a save: each once, however often it stands there, and all of them within one bound. */
export class FormulaRenderer {
  readonly #rendered = new Map<string, string>();
  readonly #remarks: Remarks;
  #spent = 0;

  constructor(remarks: Remarks) {
    this.#remarks = remarks;
  }

  /** A formula that cannot be shown stays as its LaTeX, and is named. */
  async render(doc: Node): Promise<Renderers['formula']> {
    const wanted: { latex: string; display: boolean }[] = [];
    doc.descendants(({ type, attrs }) => {
      if (type.name === 'formula' || type.name === 'formula_block')
        wanted.push({ latex: attrs.latex, display: type.name === 'formula_block' });
    });
    let busy = 0;
    for (const { latex, display } of wanted) {
      const key = keyOf(latex, display);
      if (this.#rendered.has(key)) continue;
      const start = performance.now();
      this.#rendered.set(key, this.#spent < timeLimitMs ? this.#one(latex, display) : this.#late(latex));
      const took = performance.now() - start;
      this.#spent += took;
      busy += took;
      if (busy < turnMs) continue;
      busy = 0;
      await setImmediate();
    }
    return (latex, display) => this.#rendered.get(keyOf(latex, display)) ?? source(latex);
  }

  #one(latex: string, display: boolean): string {
    try {
      return renderFormula(latex, display);
    } catch (error) {
      if (!(error instanceof FormulaError)) throw error;
      this.#remarks.sayWithCount(`Formule gardée telle quelle, à corriger : ${excerpt(latex)} (${error.message})`);
      return source(latex);
    }
  }

  #late(latex: string): string {
    this.#remarks.sayWithCount('Des formules trop longues à dessiner sont gardées telles quelles : partagez le texte ou simplifiez-les');
    return source(latex);
  }
}

const keyOf = (latex: string, display: boolean): string => `${display ? 'D' : 'T'}${latex}`;
const source = (latex: string): string => `<code>${escapeText(latex)}</code>`;
