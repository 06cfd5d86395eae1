import { createKernel, type Kernel } from '../src/kernel.ts';
import { commandTimeoutMs } from '../src/platform/database/connections/statement-limits.ts';
import { openDatabaseServer } from '../src/platform/database/database-server.ts';
import { createLog } from '../src/platform/observability/log.ts';
import type { Clock } from '../src/platform/use-cases/clock.ts';
import { loadCommandConfig } from './settings.ts';

interface KernelOptions {
  clock?: Clock;
  /** The command queries as little as a request does, so it uses the shorter timeout of requests. */
  brief?: boolean;
  /** Upper limit of a statement's timeout, in ms. */
  statementMs?: number;
}

/** Runs `work` with a kernel and closes everything it opened. A server may run at the same time. */
export async function withKernel<Result>(
  work: (kernel: Kernel) => Promise<Result>,
  { brief = false, statementMs = Number.POSITIVE_INFINITY, ...options }: KernelOptions = {},
): Promise<Result> {
  const config = loadCommandConfig();
  const database = await openDatabaseServer(config, 'commands');
  try {
    // Standard output is the command's result: only the log's errors are shown, on standard error.
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
