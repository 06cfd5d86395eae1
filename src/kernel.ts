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

/** What both doors, HTTP and CLI, stand on. */
export interface Kernel {
  config: AppConfig;
  orm: MikroORM;
  clock: Clock;
  events: DomainEvents;
  log: Logger;
  providers: PaymentProviders;
  /** Null where no letter can be sent. */
  mailer: Mailer | null;
  /** What `prepa prune` removes, of all modules, in this order. */
  prunings: readonly Pruning[];
  /** For use cases: clock, events, files and log together. */
  context: UseCaseContext;
  /** What answers reads that may be some seconds old; null: the database alone. */
  replicas: Replicas | null;
  /** A fresh entity manager for one unit of work. */
  fork(): EntityManager;
  close(): Promise<void>;
}

interface KernelOptions {
  /** Where the database answers: the configured one, or the embedded one's. */
  databaseUrl: string;
  clock?: Clock;
  log?: Logger;
  /** What a statement may take, in ms; as the settings say without it. */
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
