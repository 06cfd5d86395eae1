import type { AppConfig } from './config.ts';
import { openDatabaseServer } from './platform/database/database-server.ts';
import { sharedCounts } from './platform/limits/counts.ts';
import { createLog } from './platform/observability/log.ts';
import { toggleLogLevel } from './platform/observability/log-level.ts';
import { sharedMetrics } from './platform/observability/shared-metrics.ts';
import { Several } from './platform/processes/several.ts';

/** Serves the site from several processes of this machine, WEB_PROCESSES of them, each by `serve`; this one starts them and serves nothing (decision 077). */
export async function serveFromSeveral(config: AppConfig, onClosable: (close: () => Promise<void>) => void): Promise<void> {
  const log = createLog(config.logLevel);
  // An embedded one lives as long as anybody holds it: those that are replaced come and go.
  const database = await openDatabaseServer(config);
  const tell = (about: string, news: unknown): number => several.tell(about, news);
  const several: Several = new Several({
    count: config.webProcesses,
    answers: { ...sharedCounts(tell), ...sharedMetrics(tell) },
    closeWithinMs: config.shutdownTimeoutMs,
    log,
    // One that is started later has the level of the settings.
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
