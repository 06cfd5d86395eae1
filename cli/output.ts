import type { Command } from 'commander';
import { maxRows } from './parsers.ts';

/** The result of a command: `data` is printed as JSON with `--json`, otherwise the French `text`. */
export type Answer = [data: unknown, text: string];

export function answer(command: Command, ...[data, text]: Answer): void {
  console.log(command.optsWithGlobals().json ? JSON.stringify(data, null, 2) : text);
}

/** Returns at most `limit` rows. The caller reads one row more; if it exists, standard error says that the list is longer. */
export function cutTo<Row>(rows: Row[], limit: number): Row[] {
  if (rows.length <= limit) return rows;
  const shown = limit === 1 ? 'seule la première ligne est affichée' : `seules les ${limit} premières lignes sont affichées`;
  console.error(`Il y en a davantage : ${shown} (--limit, ${maxRows} au plus).`);
  return rows.slice(0, limit);
}

/** Returns the rows with their fields named like the database columns, for JSON output. */
export const asColumns = (rows: readonly object[]): object[] =>
  rows.map((row) => Object.fromEntries(Object.entries(row).map(([name, value]) => [columnName(name), value])));

const columnName = (field: string): string => field.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/** Returns the rows as aligned columns. @param none the text for an empty list */
export function table(headers: string[], rows: (string | number | null)[][], none?: string): string {
  if (rows.length === 0 && none !== undefined) return none;
  // Control characters could move the cursor or change colours.
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
