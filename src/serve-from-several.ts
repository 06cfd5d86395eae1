import type { AppConfig } from './config.ts';
import { openDatabaseServer } from './platform/database/database-server.ts';
import { sharedCounts } from './platform/limits/counts.ts';
import { createLog } from './platform/observability/log.ts';
import { toggleLogLevel } from './platform/observability/log-level.ts';
import { sharedMetrics } from './platform/observability/shared-metrics.ts';
import { Several } from './platform/processes/several.ts';

/**
 * Serves the site from WEB_PROCESSES processes on this machine, each with `serve`. This process starts them and serves no requests
 * (decision 077).
 */
export async function serveFromSeveral(config: AppConfig, onClosable: (close: () => Promise<void>) => void): Promise<void> {
  const log = createLog(config.logLevel);
  // Held here, since the embedded server stops when no process holds it, and worker processes come and go.
  const database = await openDatabaseServer(config);
  const tell = (about: string, news: unknown): number => several.tell(about, news);
  const several: Several = new Several({
    count: config.webProcesses,
    answers: { ...sharedCounts(tell), ...sharedMetrics(tell) },
    closeWithinMs: config.shutdownTimeoutMs,
    log,
    // A process that is started later begins with the level of the settings.
    onServes: () => {
      if (log.level !== config.logLevel) tell('log-level', log.level);
    },
    giveUp: (signal) => {
      if (signal) console.error(`Le serveur n'a pas pu démarrer : un processus a été arrêté (${signal}).`);
      process.exit(1);
    },
  });
  onClosable(async () => {
    const well = await several.close();
    await database.close();
    process.exit(well ? 0 : 1);
  });
  process.on('SIGUSR2', () => tell('log-level', toggleLogLevel(log, config.logLevel)));
  several.start();
}
