import type { Command } from 'commander';
import { loadConfig } from '../src/config.ts';
import { createKernel, type Kernel } from '../src/kernel.ts';
import { openDatabaseServer } from '../src/platform/database/database-server.ts';
import { commandTimeoutMs } from '../src/platform/database/statement-limits.ts';
import { createLog } from '../src/platform/observability/log.ts';
import type { Clock } from '../src/platform/use-cases/clock.ts';
import { mostRows } from './parsers.ts';

interface KernelOptions {
  clock?: Clock;
  /** It asks as little at a time as a request does, and must not wait longer for a database that is away. */
  brief?: boolean;
}

/** Opens the kernel for one command and closes everything that it opened, beside a running server or without one. */
export async function withKernel<Result>(
  work: (kernel: Kernel) => Promise<Result>,
  { brief = false, ...options }: KernelOptions = {},
): Promise<Result> {
  const config = loadConfig();
  const database = await openDatabaseServer(config);
  try {
    // The command's own output is its answer: only errors of the log are shown, on standard error.
    const log = createLog(process.env.LOG_LEVEL || 'error', process.stderr);
    const databaseTimeoutMs = brief ? config.databaseTimeoutMs : Math.max(commandTimeoutMs, config.databaseTimeoutMs);
    const kernel = await createKernel(config, { databaseUrl: database.url, log, databaseTimeoutMs, ...options });
    try {
      return await work(kernel);
    } finally {
      await kernel.close();
    }
  } finally {
    await database.close();
  }
}

/** Writes a command's answer: JSON for machines with `--json`, otherwise the French text. */
export function answer(command: Command, data: unknown, text: () => string): void {
  console.log(command.optsWithGlobals().json ? JSON.stringify(data, null, 2) : text());
}

/** The rows that a list shows, one more having been read; standard error says when there are others, so that the answer stays what it is. */
export function cutTo<Row>(rows: Row[], limit: number): Row[] {
  if (rows.length <= limit) return rows;
  const shown = limit === 1 ? 'seule la première ligne est affichée' : `seules les ${limit} premières lignes sont affichées`;
  console.error(`Il y en a davantage : ${shown} (--limit, ${mostRows} au plus).`);
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
