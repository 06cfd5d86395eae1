/** Returns LaTeX without blanks at both ends. A blank written as `\ ` at the end goes as a whole, since its backslash alone is no LaTeX. */
export function trimmedLatex(latex: string): string {
  let trimmed = latex.trim();
  while (endsInBackslash(trimmed)) trimmed = trimmed.slice(0, -1).trimEnd();
  return trimmed;
}

/** Returns whether the last backslash is one of its own: two of them end a line. */
function endsInBackslash(latex: string): boolean {
  let from = latex.length;
  while (latex[from - 1] === '\\') from -= 1;
  return (latex.length - from) % 2 === 1;
}
