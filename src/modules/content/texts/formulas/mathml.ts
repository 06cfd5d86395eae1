import { createContext, Script } from 'node:vm';
import { escapeText } from '../../../../shared/escapes.ts';
import { FormulaError } from '../../../../shared/formulas/faults.ts';
import { renderFormula as render } from '../../../../shared/formulas/render.ts';

export { FormulaError };

/** Time limit of one formula, in ms. An ordinary formula takes 0.03 to 1 ms; the margin is for a machine under load. */
export const formulaTimeLimitMs = 1_000;

// A few commands (\cancelto, \mathllap) double Temml's time per nesting level. Shorter formulas cannot nest deep enough to matter,
// and skip the 0.3 ms cost of the timer.
const HARMLESS_LENGTH = 80;

/**
 * Returns the MathML of a formula, rendered by src/shared/formulas within the time limit.
 * @throws {FormulaError}
 */
export function renderFormula(latex: string, display: boolean): string {
  const work = () => render(latex, display);
  return latex.length <= HARMLESS_LENGTH ? work() : withinTimeLimit(work);
}

/** Returns the HTML shown for a formula that cannot be rendered. */
export const formulaSource = (latex: string): string => `<code>${escapeText(latex)}</code>`;

const task = { run: (): void => {} };
const context = createContext(task);
const script = new Script('run()');

// `vm` is the only API through which the JavaScript engine interrupts synchronous work of its own thread.
function withinTimeLimit(work: () => string): string {
  let result = '';
  task.run = () => {
    result = work();
  };
  try {
    script.runInContext(context, { timeout: formulaTimeLimitMs });
    return result;
  } catch (error) {
    // The error belongs to the other context, so `instanceof Error` is false.
    if (typeof error === 'object' && error !== null && 'code' in error && error.code === 'ERR_SCRIPT_EXECUTION_TIMEOUT') {
      throw new FormulaError('TIMEOUT', 'La formule demande trop de temps');
    }
    throw error;
  } finally {
    task.run = () => {};
  }
}
