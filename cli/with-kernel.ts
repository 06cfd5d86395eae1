import { createKernel, type Kernel } from '../src/kernel.ts';
import { commandTimeoutMs } from '../src/platform/database/connections/statement-limits.ts';
import { openDatabaseServer } from '../src/platform/database/database-server.ts';
import { createLog } from '../src/platform/observability/log.ts';
import type { Clock } from '../src/platform/use-cases/clock.ts';
import { loadCommandConfig } from './settings.ts';

interface KernelOptions {
  clock?: Clock;
  /** It asks as little at a time as a request does, and must not wait longer for a database that is away. */
  brief?: boolean;
  /** What a statement may take, in ms, where that is less. */
  statementMs?: number;
}

/** Opens the kernel for one command and closes everything that it opened, beside a running server or without one. */
export async function withKernel<Result>(
  work: (kernel: Kernel) => Promise<Result>,
  { brief = false, statementMs = Number.POSITIVE_INFINITY, ...options }: KernelOptions = {},
): Promise<Result> {
  const config = loadCommandConfig();
  const database = await openDatabaseServer(config, 'commands');
  try {
    // The command's own output is its answer: only errors of the log are shown, on standard error.
    const log = createLog(process.env.LOG_LEVEL || 'error', process.stderr);
    const allowedMs = brief ? config.databaseTimeoutMs : Math.max(commandTimeoutMs, config.databaseTimeoutMs);
    const databaseTimeoutMs = Math.min(allowedMs, statementMs);
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
