import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';
import type { Logger } from 'pino';
import { buildApp } from './app.ts';
import type { AppConfig } from './config.ts';
import { createKernel } from './kernel.ts';
import { watchWaitingWords } from './modules/content/index.ts';
import { openDatabaseServer } from './platform/database/database-server.ts';
import { poolerAdvice } from './platform/database/pooler-advice.ts';
import { ownsTables } from './platform/database/roles.ts';
import { toggleLogLevel } from './platform/observability/log-level.ts';
import { hearFirst, isOneOfSeveral, place } from './platform/processes/first-process.ts';
import { ListenFailure } from './platform/processes/listen-failure.ts';
import { watchClock } from './platform/use-cases/clock-check.ts';
import { endWithin } from './platform/work/hard-end.ts';
import { refuseDemoAccounts } from './refuse-demo-accounts.ts';

/** Running requests have this long to end, in ms, or half of what closing has. */
const requestsWithin = 5_000;
/** Connections that wait to be taken: Node takes one at each turn of its loop, and whose connection finds no place tries again after seconds. Linux allows as many. */
const backlog = 4_096;

/** Serves the site from this process. @returns what ends it, with exit code 0 */
export async function serve(config: AppConfig, onClosable: (close: () => Promise<void>) => void): Promise<void> {
  const database = await openDatabaseServer(config);
  const kernel = await createKernel(config, { databaseUrl: database.url });
  await refuseDemoAccounts(kernel, (fault) => {
    console.error(fault);
    process.exit(1);
  });
  // What a machine says once is the first one's to say.
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
  // Of several the first one is told, and tells the others.
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
    // Whoever has not finished by then is cut off.
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

/** What is ready already: what the system refuses here is about the address. */
async function listen(app: FastifyInstance, { host, port }: AppConfig): Promise<void> {
  try {
    await app.listen({ host, port, backlog });
  } catch (error) {
    // Without a system call it is the site's own: it has been told to go meanwhile.
    throw (error as NodeJS.ErrnoException).syscall ? new ListenFailure(error, host, port) : error;
  }
}

/** A server that may do what the owner may works, and should not. One that cannot ask yet will hear it from `prepa doctor`. */
async function warnOfOwner(log: Logger, url: string): Promise<void> {
  if (await ownsTables(url).catch(() => false))
    log.warn("the server's database role owns the tables: give it one of its own (prepa db roles)");
}

/** What the site's own statements would only meet as errors without a cause. */
async function warnOfPooler(log: Logger, url: string, { databasePool, databaseTimeoutMs: timeoutMs }: AppConfig): Promise<void> {
  const advice = await poolerAdvice(url, { ...databasePool, timeoutMs }).catch(() => null);
  if (advice && advice.faults.length > 0)
    log.error({ pooler: advice.found, faults: advice.faults }, 'the pooler before the database does not suit the site (prepa doctor)');
}
