import temml from 'temml';
import { isWritable, MAX_LATEX_LENGTH } from '../rich-text/bounds.ts';
import { withBreaks } from './breaks.ts';
import { withSpacedEllipses } from './ellipses.ts';
import { FormulaError, inFrench } from './faults.ts';
import { withLinearText } from './linear.ts';
import { type MathTree, writeMathml } from './markup.ts';

/** Maximum length of the MathML of one formula, in characters. */
const MAX_MATHML_LENGTH = 200_000;

// Formulas up to this many characters of LaTeX fit on the narrowest line without a break.
const UNBROKEN_LENGTH = 20;

// A macro can double its argument at each expansion: a few of them fill the memory before any limit is reached.
const DEFINITION = /\\(?:[gex]?def|let|futurelet|global|long|(?:re|provide)?newcommand|newenvironment|DeclareMathOperator)(?![A-Za-z])/;

/**
 * Returns MathML for a formula, the same in browser and server. It contains no style, script or address, so a strict content security
 * policy allows all of it; it needs the style sheet's rules for formulas. `display` is a formula on its own line. Rendering has no time
 * limit: the caller must set one.
 * @throws {FormulaError}
 */
export function renderFormula(latex: string, display: boolean): string {
  refuseHopeless(latex);
  const mathml = draw(latex, display);
  if (mathml === null) throw new FormulaError('TOO_LARGE', 'La formule est trop grande');
  // \char can produce any character, also those that are not allowed in a page.
  if (!isWritable(mathml)) throw new FormulaError('FORBIDDEN', 'La formule contient un caractère interdit');
  return mathml;
}

function refuseHopeless(latex: string): void {
  if (latex.trim() === '') throw new FormulaError('EMPTY', 'La formule est vide');
  if (latex.length > MAX_LATEX_LENGTH) throw new FormulaError('TOO_LONG', `La formule dépasse ${MAX_LATEX_LENGTH} caractères`);
  const definition = DEFINITION.exec(latex);
  if (definition)
    throw new FormulaError('FORBIDDEN', `La commande ${definition[0]} n'est pas admise : une formule ne définit pas de macro`);
}

/** Returns MathML, or null if it is too long. Each step may throw for a formula that is nested too deeply. */
function draw(latex: string, display: boolean): string | null {
  try {
    const tree: MathTree = temml.__renderToMathMLTree(latex, {
      displayMode: display,
      throwOnError: true,
      trust: false,
      maxExpand: 500,
      maxSize: [50, 500],
      macros: { '\\mbox': '\\text', '\\hbox': '\\text' },
    });
    const spaced = withSpacedEllipses(tree);
    const broken = display || latex.length <= UNBROKEN_LENGTH ? spaced : withBreaks(spaced);
    return writeMathml(withLinearText(broken), display, MAX_MATHML_LENGTH);
  } catch (error) {
    throw new FormulaError('INVALID', inFrench(error));
  }
}
