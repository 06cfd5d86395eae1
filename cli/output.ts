import type { Command } from 'commander';
import { maxRows } from './parsers.ts';

/** What a command says: JSON for machines with `--json`, otherwise the French text. */
export type Answer = [data: unknown, text: string];

export function answer(command: Command, ...[data, text]: Answer): void {
  console.log(command.optsWithGlobals().json ? JSON.stringify(data, null, 2) : text);
}

/** The rows that a list shows, one more having been read; standard error says when there are others, so that the answer stays what it is. */
export function cutTo<Row>(rows: Row[], limit: number): Row[] {
  if (rows.length <= limit) return rows;
  const shown = limit === 1 ? 'seule la première ligne est affichée' : `seules les ${limit} premières lignes sont affichées`;
  console.error(`Il y en a davantage : ${shown} (--limit, ${maxRows} au plus).`);
  return rows.slice(0, limit);
}

/** Rows as programs read them: their fields named as the columns are. */
export const asColumns = (rows: readonly object[]): object[] =>
  rows.map((row) => Object.fromEntries(Object.entries(row).map(([name, value]) => [columnName(name), value])));

const columnName = (field: string): string => field.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/** Rows as aligned columns. @param none is said where there are no rows */
export function table(headers: string[], rows: (string | number | null)[][], none?: string): string {
  if (rows.length === 0 && none !== undefined) return none;
  // What would move the cursor or colour the terminal is shown as a sign.
  const cells = [headers, ...rows.map((row) => row.map((cell) => String(cell ?? '-').replaceAll(/\p{Cc}/gu, '\ufffd')))];
  const widths = headers.map((_, column) => Math.max(...cells.map((row) => row[column]?.length ?? 0)));
  return cells
    .map((row) =>
      row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}
