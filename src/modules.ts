import type { FastifyPluginCallback } from 'fastify';
import { catalogue } from './modules/catalogue/index.ts';
import { content } from './modules/content/index.ts';
import { enrolment } from './modules/enrolment/index.ts';
import { identity } from './modules/identity/index.ts';
import { notification } from './modules/notification/index.ts';
import { offline } from './modules/offline/index.ts';
import { type PaymentKernel, payment } from './modules/payment/index.ts';
import { portal } from './modules/portal/index.ts';
import { questions } from './modules/questions/index.ts';
import { revision } from './modules/revision/index.ts';
import { study } from './modules/study/index.ts';
import { support } from './modules/support/index.ts';
import { training } from './modules/training/index.ts';
import type { StoredFiles } from './platform/backup/backup-subject.ts';
import type { Assets } from './platform/pages/assets.ts';
import type { Pruning } from './platform/pruning/pruning.ts';
import type { DomainEvents } from './platform/use-cases/events.ts';

/** Exports of a module's index.ts for the application, the kernel and the ORM. */
interface Module {
  /** Fastify plugin with its routes and everything they need. */
  plugin: FastifyPluginCallback<{ kernel: PaymentKernel; assets: Assets }>;
  entities?: readonly unknown[];
  subscribe?: (events: DomainEvents) => void;
  /** Files to which its rows refer, for backups. */
  storedFiles?: readonly StoredFiles[];
  prunings?: readonly Pruning[];
}

/** The modules in order of dependency. A module may import only earlier modules; later modules reach it through events and hooks. */
export const modules: readonly Module[] = [
  identity,
  catalogue,
  payment,
  enrolment,
  content,
  study,
  training,
  questions,
  revision,
  offline,
  notification,
  portal,
  support,
];

/** All entities, for the ORM and for comparing migrations. */
export const entities = modules.flatMap((module) => module.entities ?? []);

export const prunings = modules.flatMap((module) => module.prunings ?? []);
