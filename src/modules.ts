import type { FastifyPluginCallback } from 'fastify';
import { catalogue } from './modules/catalogue/index.ts';
import { content } from './modules/content/index.ts';
import { enrolment } from './modules/enrolment/index.ts';
import { identity } from './modules/identity/index.ts';
import { notification } from './modules/notification/index.ts';
import { type PaymentKernel, payment } from './modules/payment/index.ts';
import { portal } from './modules/portal/index.ts';
import { support } from './modules/support/index.ts';
import type { StoredFiles } from './platform/backup/backup-subject.ts';
import type { Assets } from './platform/pages/assets.ts';
import type { Pruning } from './platform/pruning/pruning.ts';
import type { DomainEvents } from './platform/use-cases/events.ts';

/** What a module's index.ts gives to the application, the kernel and the ORM. */
interface Module {
  /** Its routes, and what they stand on. */
  plugin: FastifyPluginCallback<{ kernel: PaymentKernel; assets: Assets }>;
  entities?: readonly unknown[];
  subscribe?: (events: DomainEvents) => void;
  /** Files that its rows name, for backups. */
  storedFiles?: readonly StoredFiles[];
  /** What of its tables and files is of no use any more after a time. */
  prunings?: readonly Pruning[];
}

/** From left to right: each knows those before it, and hears of those after it by events alone. */
export const modules: readonly Module[] = [identity, catalogue, payment, enrolment, content, notification, portal, support];

/** Every entity, for the ORM and for the comparison of migrations. */
export const entities = modules.flatMap((module) => module.entities ?? []);

/** Of all modules. */
export const prunings = modules.flatMap((module) => module.prunings ?? []);
