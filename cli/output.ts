import type { Command } from 'commander';
import { maxRows } from './parsers.ts';

/** Writes a command's answer: JSON for machines with `--json`, otherwise the French text. */
export function answer(command: Command, data: unknown, text: () => string): void {
  console.log(command.optsWithGlobals().json ? JSON.stringify(data, null, 2) : text());
}

/** The rows that a list shows, one more having been read; standard error says when there are others, so that the answer stays what it is. */
export function cutTo<Row>(rows: Row[], limit: number): Row[] {
  if (rows.length <= limit) return rows;
  const shown = limit === 1 ? 'seule la première ligne est affichée' : `seules les ${limit} premières lignes sont affichées`;
  console.error(`Il y en a davantage : ${shown} (--limit, ${maxRows} au plus).`);
  return rows.slice(0, limit);
}

/** Rows as aligned columns. */
export function table(headers: string[], rows: (string | number | null)[][]): string {
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
