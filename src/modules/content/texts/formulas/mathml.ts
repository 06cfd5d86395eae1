import { createContext, Script } from 'node:vm';
import { escapeText } from '../../../../shared/escapes.ts';
import { FormulaError } from '../../../../shared/formulas/faults.ts';
import { renderFormula as render } from '../../../../shared/formulas/render.ts';

export { FormulaError };

/** How long one formula may take, in ms; an ordinary one takes 0.03 to 1: the rest is for a machine under load. */
export const formulaTimeLimitMs = 1_000;

// Temml's time doubles with each level of a few commands (\cancelto, \mathllap): so short a formula has no room for enough
// levels, and is spared the 0.3 ms that watching the clock takes.
const HARMLESS_LENGTH = 80;

/**
 * MathML for a formula, as src/shared/formulas writes it, within the time limit.
 * @throws {FormulaError}
 */
export function renderFormula(latex: string, display: boolean): string {
  const work = () => render(latex, display);
  return latex.length <= HARMLESS_LENGTH ? work() : withinTimeLimit(work);
}

/** What is shown of a formula that cannot be drawn. */
export const formulaSource = (latex: string): string => `<code>${escapeText(latex)}</code>`;

const task = { run: (): void => {} };
const context = createContext(task);
const script = new Script('run()');

// Only the engine can stop work that is under way in the same thread, and only `vm` gives access to it.
function withinTimeLimit(work: () => string): string {
  let result = '';
  task.run = () => {
    result = work();
  };
  try {
    script.runInContext(context, { timeout: formulaTimeLimitMs });
    return result;
  } catch (error) {
    // The error comes from the other context, whose Error is not ours: `instanceof` says no.
    if (typeof error === 'object' && error !== null && 'code' in error && error.code === 'ERR_SCRIPT_EXECUTION_TIMEOUT') {
      throw new FormulaError('TIMEOUT', 'La formule demande trop de temps');
    }
    throw error;
  } finally {
    task.run = () => {};
  }
}
