/** Returns LaTeX without blanks at both ends. A blank written as `\ ` at the end goes as a whole, since its backslash alone is no LaTeX. */
export function trimmedLatex(latex: string): string {
  const trimmed = latex.trim();
  const backslashes = /\\+$/.exec(trimmed)?.[0].length ?? 0;
  return backslashes % 2 === 1 ? trimmedLatex(trimmed.slice(0, -1)) : trimmed;
}
