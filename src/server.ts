import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import { buildApp } from './app.ts';
import { loadConfig } from './config.ts';
import { createKernel } from './kernel.ts';
import { describeTlsFailure } from './platform/database/connections/tls-failure.ts';
import { openDatabaseServer } from './platform/database/database-server.ts';
import { ownsTables } from './platform/database/roles.ts';
import { ConfigError } from './platform/settings/config.ts';
import { watchClock } from './platform/use-cases/clock-check.ts';
import { endWithin } from './platform/work/hard-end.ts';
import { refuseDemoAccounts } from './refuse-demo-accounts.ts';

/** Running requests have this long to end, in ms, or half of what closing has. */
const requestsWithin = 5_000;
/** Connections that wait to be taken: Node takes one at each turn of its loop, and whose connection finds no place tries again after seconds. Linux allows as many. */
const backlog = 4_096;

/** Told to go before there is anything to close. */
let close: () => unknown = () => process.exit(0);
// From the beginning: the first process of a container hears no signal that it has not asked for, and would serve on.
process.on('SIGINT', () => close());
process.on('SIGTERM', () => close());

// Listens and closes gracefully; every fault at start is one French line and exit 1.
try {
  const config = loadConfig();
  const database = await openDatabaseServer(config);
  const kernel = await createKernel(config, { databaseUrl: database.url });
  await refuseDemoAccounts(kernel, (fault) => {
    console.error(fault);
    process.exit(1);
  });
  if (config.environment === 'production') void warnOfOwner(kernel.log, database.url);
  const app = await buildApp(kernel);

  const stopWatching = watchClock(kernel.fork, kernel.log);
  close = async () => {
    close = () => {};
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
    await app.close();
    await kernel.close();
    await database.close();
    process.exit(0);
  };
  await app.listen({ host: config.host, port: config.port, backlog });
} catch (error) {
  console.error(startFailure(error));
  process.exit(1);
}

/** A server that may do what the owner may works, and should not. One that cannot ask yet will hear it from `prepa doctor`. */
async function warnOfOwner(log: Logger, url: string): Promise<void> {
  if (await ownsTables(url).catch(() => false))
    log.warn("the server's database role owns the tables: give it one of its own (prepa db roles)");
}

function startFailure(error: unknown): string {
  if (error instanceof ConfigError) return error.message;
  const tls = describeTlsFailure(error);
  if (tls !== null) return tls;
  const { code, message, port } = error as NodeJS.ErrnoException & { port?: number };
  if (code === 'EADDRINUSE') return `Le port ${port ?? ''} est déjà utilisé : choisissez-en un autre avec PORT.`;
  if (code === 'EACCES' || code === 'EROFS' || code === 'EPERM') return `Dossier ou port inaccessible : ${message}`;
  if (code === 'ECONNREFUSED') return 'La base de données est injoignable : vérifiez DATABASE_URL.';
  return `Le serveur n'a pas pu démarrer : ${message}`;
}
