/** Joins pieces of LaTeX, with a space only where a command's name would otherwise absorb the next letter. */
export function join(pieces: readonly string[]): string {
  let latex = '';
  for (const piece of pieces) {
    if (piece === '') continue;
    // Searches the end of the LaTeX, since commands are short; searching all of it would take quadratic time.
    latex += /\\[A-Za-z]+$/.test(latex.slice(-30)) && /^[A-Za-z]/.test(piece) ? ` ${piece}` : piece;
  }
  return latex;
}

/** Joins neighbours in a row. A prime or degree sign after a superscript needs {}, since it would be a second superscript. */
export function joinRow(pieces: readonly string[]): string {
  let latex = '';
  for (const piece of pieces) latex = join([latex, /^['^]/.test(piece) && endsRaised(latex) ? `{}${piece}` : piece]);
  return latex;
}

function endsRaised(latex: string): boolean {
  if (!latex.endsWith('}') || latex.endsWith('\\}')) return /'$|\^(?:[^\\{}]|\\[A-Za-z]+)$/.test(latex);
  let open = 0;
  for (let at = latex.length - 1; at >= 0; at -= 1) {
    if (latex[at - 1] === '\\') continue;
    open += latex[at] === '}' ? 1 : latex[at] === '{' ? -1 : 0;
    if (open === 0) return latex[at - 1] === '^';
  }
  return false;
}

export const braced = (latex: string): string => `{${latex}}`;

/** Returns a subscript or superscript with its sign; braces unless the script is a single character. */
export function script(sign: '_' | '^', latex: string): string {
  if (sign === '^' && /^'+$/.test(latex)) return latex;
  return `${sign}${/^[A-Za-z0-9]$/.test(latex) ? latex : braced(latex)}`;
}

/** A single character, a command, or a command with its argument: a base that needs no braces. */
const ONE_PIECE =
  /^(?:[^\\{}^_&\s']|\\[A-Za-z]+|\\[^A-Za-z]|\\(?:mathbb|mathbf|mathrm|mathcal|mathfrak|mathsf|mathtt|boldsymbol|operatorname)\*?\{[^{}]*\})$/u;
const IN_BRACKETS = /^\\left[\s\S]*\\right(?:\\[A-Za-z]+|\\?[^A-Za-z])$/;

/** Returns the base of a script, in braces if needed. */
export function base(latex: string): string {
  if (latex === '') return '{}';
  return ONE_PIECE.test(latex) || (IN_BRACKETS.test(latex) && isOneBracket(latex)) ? latex : braced(latex);
}

/** Returns whether the first \left is closed by the last \right. */
function isOneBracket(latex: string): boolean {
  let open = 0;
  for (const found of latex.matchAll(/\\(left|right)(?![A-Za-z])/g)) {
    open += found[1] === 'left' ? 1 : -1;
    if (open === 0) return !/\\right(?![A-Za-z])/.test(latex.slice(found.index + 6));
  }
  return false;
}
