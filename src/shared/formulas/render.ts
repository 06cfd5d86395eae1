import temml from 'temml';
import { isWritable, MAX_LATEX_LENGTH } from '../rich-text/bounds.ts';
import { withBreaks } from './breaks.ts';
import { withSpacedEllipses } from './ellipses.ts';
import { FormulaError, inFrench } from './faults.ts';
import { withLinearText } from './linear.ts';
import { type MathTree, writeMathml } from './markup.ts';

/** Characters of MathML that one formula may become. */
const MAX_MATHML_LENGTH = 200_000;

// Characters of LaTeX that fit on the narrowest line without a break.
const UNBROKEN_LENGTH = 20;

// A macro can double what it is given each time it is expanded: a few of them fill the memory before any limit is reached.
const DEFINITION = /\\(?:[gex]?def|let|futurelet|global|long|(?:re|provide)?newcommand|newenvironment|DeclareMathOperator)(?![A-Za-z])/;

/**
 * MathML for a formula, without style, script or address in it, so that a strict content security policy shows it whole; it
 * needs the rules for formulas of the stylesheet. `display` is a formula on lines of its own. The same in browser and server.
 * It can take longer than anybody waits: whoever calls it watches the clock.
 * @throws {FormulaError}
 */
export function renderFormula(latex: string, display: boolean): string {
  refuseHopeless(latex);
  const mathml = draw(latex, display);
  if (mathml === null) throw new FormulaError('TOO_LARGE', 'La formule est trop grande');
  // \char makes any character by its number, also those that no page can hold.
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

/** Null when it would be too long. Each step may find the formula nested too deeply for the engine. */
function draw(latex: string, display: boolean): string | null {
  try {
    const tree: MathTree = temml.__renderToMathMLTree(latex, {
      displayMode: display,
      throwOnError: true,
      trust: false,
      maxExpand: 500,
      maxSize: [50, 500],
    });
    const spaced = withSpacedEllipses(tree);
    const broken = display || latex.length <= UNBROKEN_LENGTH ? spaced : withBreaks(spaced);
    return writeMathml(withLinearText(broken), display, MAX_MATHML_LENGTH);
  } catch (error) {
    throw new FormulaError('INVALID', inFrench(error));
  }
}
