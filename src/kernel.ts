import type { EntityManager, MikroORM } from '@mikro-orm/postgresql';
import type { Logger } from 'pino';
import { migrationList } from '../migrations/list.ts';
import type { AppConfig } from './config.ts';
import { type PaymentProviders, paymentProviders } from './modules/payment/index.ts';
import { entities, modules, prunings } from './modules.ts';
import { closeDatabase, openDatabase } from './platform/database/open-database.ts';
import { Replicas } from './platform/database/replicas/replicas.ts';
import { openFileStores } from './platform/files/open-stores.ts';
import type { Mailer } from './platform/mail/mailer.ts';
import { openMailer } from './platform/mail/open-mailer.ts';
import { createLog } from './platform/observability/log.ts';
import type { Pruning } from './platform/pruning/pruning.ts';
import { type Clock, systemClock } from './platform/use-cases/clock.ts';
import type { UseCaseContext } from './platform/use-cases/events.ts';
import { DomainEvents } from './platform/use-cases/events.ts';

/** Shared base of the server and the CLI. */
export interface Kernel {
  config: AppConfig;
  orm: MikroORM;
  clock: Clock;
  events: DomainEvents;
  log: Logger;
  providers: PaymentProviders;
  /** Null if no e-mail can be sent. */
  mailer: Mailer | null;
  /** Prunings of all modules, in the order in which `prepa prune` runs them. */
  prunings: readonly Pruning[];
  /** Context of use cases: clock, events, files and log. */
  context: UseCaseContext;
  /** Read replicas for data that may be some seconds old; null: all reads go to the primary. */
  replicas: Replicas | null;
  /** Returns a new entity manager for one unit of work. */
  fork(): EntityManager;
  close(): Promise<void>;
}

interface KernelOptions {
  /** Address of the configured or the embedded database. */
  databaseUrl: string;
  clock?: Clock;
  log?: Logger;
  /** Statement timeout, in ms; default: from the settings. */
  databaseTimeoutMs?: number;
}

export async function createKernel(
  config: AppConfig,
  { databaseUrl, clock = systemClock, log = createLog(config.logLevel), databaseTimeoutMs = config.databaseTimeoutMs }: KernelOptions,
): Promise<Kernel> {
  const orm = await openDatabase({
    url: databaseUrl,
    entities,
    migrations: migrationList,
    timeoutMs: databaseTimeoutMs,
    ...config.databasePool,
  });
  const { urls, maxLagMs } = config.databaseReplicas;
  const replicas = urls.length > 0 ? new Replicas({ urls, primaryUrl: databaseUrl, maxLagMs, log, ...config.databasePool }) : null;
  const stores = openFileStores(config, log);
  const events = new DomainEvents();
  for (const { subscribe } of modules) subscribe?.(events);
  return {
    config,
    orm,
    clock,
    events,
    log,
    providers: paymentProviders(config, { clock, log }),
    mailer: await openMailer(config, log),
    prunings,
    replicas,
    context: {
      clock,
      events,
      files: stores.media,
      documents: stores.documents,
      log,
    },
    fork: () => orm.em.fork(),
    async close() {
      await replicas?.close();
      await closeDatabase(orm);
    },
  };
}
