import type { MatrixRecord, PileRecord, Slot, Write } from './records.ts';

/** Largest number of cells of a matrix. */
const maxCells = 5_000;

export const environment = (name: string, rows: readonly string[], columns = ''): string =>
  `\\begin{${name}}${columns} ${rows.join(' \\\\ ')} \\end{${name}}`;

export const hasLines = ({ rowLines, columnLines }: MatrixRecord): boolean => rowLines.includes(true) || columnLines.includes(true);

/** Returns the rows of a matrix, with `&` between their cells. */
export function cellRows({ cells, columns }: MatrixRecord, write: Write): string[] {
  const rows: string[] = [];
  for (let at = 0; at < Math.min(cells.length, maxCells); at += columns)
    rows.push(
      cells
        .slice(at, at + columns)
        .map(write)
        .join(' & '),
    );
  return rows;
}

const LETTERS = { left: 'l', right: 'r', center: 'c', relation: 'l', decimal: 'r' } as const;

/** Returns LaTeX for a matrix without brackets of its own. */
export function matrixLatex(matrix: MatrixRecord, write: Write): string {
  const { align, columns, rowLines, columnLines } = matrix;
  // Written once: writing nested tables twice would double the time at each level.
  const rows = cellRows(matrix, write);
  if (!hasLines(matrix) && (align === 'center' || columns === 1)) return environment('matrix', rows);
  const letters = Array.from({ length: columns }, (_, index) => `${columnLines[index] ? '|' : ''}${LETTERS[align]}`).join('');
  const lined = rows.map((row, index) => `${rowLines[index] ? '\\hline ' : ''}${row}`);
  if (rowLines[rows.length] && lined.length > 0) lined[lined.length - 1] += ' \\\\ \\hline';
  return environment('array', lined, `{${letters}${columnLines[columns] ? '|' : ''}}`);
}

const RELATION =
  /(?<!\\left|\\right|[A-Za-z])(?:[=<>≤≥≈≡∼]|\\(?:leq|geq|neq|approx|equiv|sim|Leftrightarrow|Rightarrow|to|in)(?![A-Za-z]))/;

/** Returns the lines of a pile, aligned as in the original. */
export function rowsOf({ align, lines }: PileRecord, write: Write, inside: 'cases' | 'aligned'): string[] {
  return lines.map((line) => {
    const latex = write(line);
    if (align === 'relation') {
      const at = topLevelRelation(latex);
      return at === -1 ? latex : `${latex.slice(0, at)}&${latex.slice(at)}`;
    }
    return inside === 'cases' || align === 'center' ? latex : align === 'right' ? `${latex}&` : `&${latex}`;
  });
}

/** Returns the offset of the first relation outside of braces; -1 when there is none. */
function topLevelRelation(latex: string): number {
  let depth = 0;
  for (let at = 0; at < latex.length; at += 1) {
    const sign = latex[at];
    if (sign === '{') depth += latex[at - 1] === '\\' ? 0 : 1;
    else if (sign === '}') depth -= latex[at - 1] === '\\' ? 0 : 1;
    // A relation's name is short: the rest of the LaTeX need not be searched.
    else if (depth === 0 && RELATION.exec(latex.slice(at, at + 20))?.index === 0) return at;
  }
  return -1;
}

/** Returns LaTeX for lines below each other. */
export function pileLatex(pile: PileRecord, write: Write): string {
  if (pile.lines.length === 1) return write(pile.lines[0] as Slot);
  const rows = rowsOf(pile, write, 'aligned');
  return environment(rows.some((row) => row.includes('&')) ? 'aligned' : 'gathered', rows);
}
