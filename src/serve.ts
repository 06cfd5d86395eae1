import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';
import type { Logger } from 'pino';
import { buildApp } from './app.ts';
import type { AppConfig } from './config.ts';
import { createKernel } from './kernel.ts';
import { watchWaitingWords } from './modules/study/index.ts';
import { openDatabaseServer } from './platform/database/database-server.ts';
import { poolerAdvice } from './platform/database/pooler-advice.ts';
import { ownsTables } from './platform/database/roles.ts';
import { toggleLogLevel } from './platform/observability/log-level.ts';
import { hearFirst, isOneOfSeveral, place } from './platform/processes/first-process.ts';
import { ListenFailure } from './platform/processes/listen-failure.ts';
import { watchClock } from './platform/use-cases/clock-check.ts';
import { endWithin } from './platform/work/hard-end.ts';
import { refuseDemoAccounts } from './refuse-demo-accounts.ts';

/** Time for running requests to end when closing, in ms; at most half of the closing time. */
const requestsWithin = 5_000;
/** Length of the queue of new connections: if it is full, a client retries only after seconds. 4,096 is also Linux's limit. */
const backlog = 4_096;

/** Serves the site from this process. Passes a function to `onClosable` that ends the process with exit code 0. */
export async function serve(config: AppConfig, onClosable: (close: () => Promise<void>) => void): Promise<void> {
  const database = await openDatabaseServer(config);
  const kernel = await createKernel(config, { databaseUrl: database.url });
  await refuseDemoAccounts(kernel, (fault) => {
    console.error(fault);
    process.exit(1);
  });
  // Warnings about the machine are logged by its first process only.
  const isFirst = place() === 0;
  if (config.environment === 'production' && isFirst) {
    void warnOfOwner(kernel.log, database.url);
    void warnOfPooler(kernel.log, database.url, config);
  }
  const app = await buildApp(kernel);

  const setLevel = (level: string) => {
    kernel.log.level = level;
    app.setLogLevel(level);
  };
  // With several processes, the first process receives the signal and informs the others.
  process.on('SIGUSR2', () => {
    if (!isOneOfSeveral()) setLevel(toggleLogLevel(kernel.log, config.logLevel));
  });
  hearFirst<string>('log-level', setLevel);
  await app.ready();
  const stopLooking = await app.watchMaintenance();
  const stopWatching = isFirst ? watchClock(kernel.fork, kernel.log) : () => {};
  const stopIndexing = isFirst ? watchWaitingWords(kernel.fork, kernel.log) : async () => {};
  onClosable(async () => {
    const { shutdownTimeoutMs, shutdownDrainMs } = config;
    endWithin(shutdownTimeoutMs, kernel.log);
    const drainMs = Math.min(shutdownDrainMs, shutdownTimeoutMs / 2);
    if (drainMs > 0) {
      app.beginDraining();
      await sleep(drainMs);
    }
    // Requests that are still running then are cut off.
    setTimeout(() => app.server.closeAllConnections(), Math.min(requestsWithin, (shutdownTimeoutMs - drainMs) / 2)).unref();
    stopWatching();
    stopLooking();
    await stopIndexing();
    await app.close();
    await kernel.close();
    await database.close();
    process.exit(0);
  });
  await listen(app, config);
}

/** Starts listening. The application is ready, so a system error here concerns the address. */
async function listen(app: FastifyInstance, { host, port }: AppConfig): Promise<void> {
  try {
    await app.listen({ host, port, backlog });
  } catch (error) {
    // An error without a system call is Fastify's own: the server was closed in the meantime.
    throw (error as NodeJS.ErrnoException).syscall ? new ListenFailure(error, host, port) : error;
  }
}

/** Warns if the server's role has the owner's rights. If the check fails, `prepa doctor` still reports it. */
async function warnOfOwner(log: Logger, url: string): Promise<void> {
  if (await ownsTables(url).catch(() => false))
    log.warn("the server's database role owns the tables: give it one of its own (prepa db roles)");
}

/** Warns about an unsuitable pooler, which would otherwise only cause unexplained errors of statements. */
async function warnOfPooler(log: Logger, url: string, { databasePool, databaseTimeoutMs: timeoutMs }: AppConfig): Promise<void> {
  const advice = await poolerAdvice(url, { ...databasePool, timeoutMs }).catch(() => null);
  if (advice && advice.faults.length > 0)
    log.error({ pooler: advice.found, faults: advice.faults }, 'the pooler before the database does not suit the site (prepa doctor)');
}
