import { createContext, Script } from 'node:vm';
import temml from 'temml';
import { MAX_LATEX_LENGTH } from '../../shared/rich-text/bounds.ts';
import { escapeText } from '../../shared/rich-text/serialise.ts';
import { withBreaks } from './formula-breaks.ts';
import { type MathTree, writeMathml } from './formula-markup.ts';

/** How long one formula may take, in ms; an ordinary one takes 0.03 to 1: the rest is for a machine under load. */
export const FORMULA_TIME_LIMIT = 1_000;
/** Characters of MathML that one formula may become. */
export const MAX_MATHML_LENGTH = 200_000;

export type FormulaFault = 'EMPTY' | 'TOO_LONG' | 'FORBIDDEN' | 'INVALID' | 'TOO_LARGE' | 'TIMEOUT';

/** A formula that cannot be shown; the message is French and says what is wrong with the LaTeX. */
export class FormulaError extends Error {
  override name = 'FormulaError';
  readonly fault: FormulaFault;

  constructor(fault: FormulaFault, message: string) {
    super(message);
    this.fault = fault;
  }
}

// Characters of LaTeX that fit on the narrowest line without a break.
const UNBROKEN_LENGTH = 20;

// Temml's time doubles with each level of a few commands (\cancelto, \mathllap): so short a formula has no room for enough
// levels, and is spared the 0.3 ms that watching the clock takes.
const HARMLESS_LENGTH = 80;

// A macro can double what it is given each time it is expanded: a few of them fill the memory before any limit is reached.
const DEFINITION = /\\(?:[gex]?def|let|futurelet|global|long|(?:re|provide)?newcommand|newenvironment|DeclareMathOperator)(?![A-Za-z])/;

/**
 * MathML for a formula, without style, script or address in it, so that a strict content security policy shows it whole; it
 * needs the rules for formulas of the stylesheet. `display` is a formula on lines of its own.
 * @throws {FormulaError}
 */
export function renderFormula(latex: string, display: boolean): string {
  if (latex.trim() === '') throw new FormulaError('EMPTY', 'La formule est vide');
  if (latex.length > MAX_LATEX_LENGTH) throw new FormulaError('TOO_LONG', `La formule dépasse ${MAX_LATEX_LENGTH} caractères`);
  const definition = DEFINITION.exec(latex);
  if (definition)
    throw new FormulaError('FORBIDDEN', `La commande ${definition[0]} n'est pas admise : une formule ne définit pas de macro`);
  const work = (): string => {
    const tree = readTree(latex, display);
    const mathml = writeMathml(display || latex.length <= UNBROKEN_LENGTH ? tree : withBreaks(tree), display, MAX_MATHML_LENGTH);
    if (mathml === null) throw new FormulaError('TOO_LARGE', 'La formule est trop grande');
    return mathml;
  };
  return latex.length <= HARMLESS_LENGTH ? work() : withinTimeLimit(work);
}

/** The same for a page, which a faulty formula must not take down: it shows its LaTeX instead. */
export function renderFormulaOrSource(latex: string, display: boolean): string {
  try {
    return renderFormula(latex, display);
  } catch (error) {
    if (error instanceof FormulaError) return `<code>${escapeText(latex)}</code>`;
    throw error;
  }
}

function readTree(latex: string, display: boolean): MathTree {
  try {
    return temml.__renderToMathMLTree(latex, {
      displayMode: display,
      throwOnError: true,
      trust: false,
      maxExpand: 500,
      maxSize: [50, 500],
    });
  } catch (error) {
    throw new FormulaError('INVALID', inFrench(error));
  }
}

const task = { run: (): void => {} };
const context = createContext(task);
const script = new Script('run()');

// Only the engine can stop work that is under way in the same thread, and `vm` is the one door to that.
function withinTimeLimit(work: () => string): string {
  let result = '';
  task.run = () => {
    result = work();
  };
  try {
    script.runInContext(context, { timeout: FORMULA_TIME_LIMIT });
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

const FRENCH: [RegExp, (found: string[]) => string][] = [
  [/^(?:Unsupported function name|Undefined control sequence): (\S+)/, ([command]) => `commande inconnue ${command}`],
  [/^Function "(.+?)" is not trusted/, ([command]) => `commande interdite ${command}`],
  [/^Expected '(.+?)', got '(.+?)'/, ([wanted, got]) => `${token(got)} au lieu de ${token(wanted)}`],
  [/^No such environment: (\S+)/, ([name]) => `environnement inconnu ${name}`],
  [/^Mismatch: \\begin\{(.+?)\} matched by \\end\{(.+?)\}/, ([begin, end]) => `\\begin{${begin}} est fermé par \\end{${end}}`],
  [
    /^Double (subscript|superscript)/,
    ([script]) => `deux ${script === 'subscript' ? 'indices' : 'exposants'} de suite : ajoutez des accolades`,
  ],
  [/can be used only in display mode|works only in display mode/, () => 'cet environnement demande une formule hors texte ($$)'],
  [/^Unexpected end of input|^Expected group/, () => 'un argument ou une accolade manque'],
  [/^Too many expansions|Maximum call stack/, () => 'formule trop compliquée'],
  [/^(\\middle|\\right) without preceding/, ([command]) => `${command} sans \\left`],
  [/^Got function '(.+?)' with no arguments/, ([command]) => `${command} sans son argument`],
  [/^Invalid delimiter/, () => 'délimiteur interdit après \\left, \\right ou \\big'],
];

function token(name = ''): string {
  return name === 'EOF' ? 'la fin de la formule' : `"${name}"`;
}

/** What the converter says, in French where its sentence is known. */
function inFrench(error: unknown): string {
  const said = (error instanceof Error ? error.message : String(error)).trim();
  const position = /at position (\d+)/.exec(said)?.[1];
  const place = position ? ` (caractère ${position})` : '';
  for (const [pattern, sentence] of FRENCH) {
    const found = pattern.exec(said);
    if (found) return `Formule incorrecte : ${sentence(found.slice(1))}${place}`;
  }
  // The rest of the message repeats the formula with an underline made of combining characters.
  return `Formule incorrecte : ${said.split(/ at position |: at end|\n/)[0]}${place}`;
}
