import type { EntityManager, MikroORM } from '@mikro-orm/postgresql';
import fp from 'fastify-plugin';
import { type Replicas, readFromReplicas } from '../database/replicas/replicas.ts';
import type { Mailer } from '../mail/mailer.ts';
import type { Config } from '../settings/config.ts';
import type { UseCaseContext } from './events.ts';

/** The part of the kernel that modules see; the kernel itself stands above them. */
export interface ModuleKernel {
  config: Config;
  orm: MikroORM;
  context: UseCaseContext;
  /** Null where no letter can be sent. */
  mailer: Mailer | null;
  /** Null: everything is read where it is written. */
  replicas: Replicas | null;
  fork(): EntityManager;
}

declare module 'fastify' {
  interface FastifyRequest {
    /** This request's own entity manager, made when first asked for. */
    readonly em: EntityManager;
    /** Clock, events, and a log that carries the request's id. */
    readonly context: UseCaseContext;
  }
}

const managers = new WeakMap<object, EntityManager>();

export const kernelAccess = fp<{ kernel: ModuleKernel }>(
  async (app, { kernel }) => {
    app.decorateRequest('em', {
      getter() {
        let em = managers.get(this);
        if (!em) {
          em = kernel.fork();
          // What a request that changes something reads decides what it changes.
          if (kernel.replicas && (this.method === 'GET' || this.method === 'HEAD')) readFromReplicas(em, kernel.replicas);
          managers.set(this, em);
        }
        return em;
      },
    });
    app.decorateRequest('context', {
      getter() {
        return { ...kernel.context, log: this.log };
      },
    });
  },
  { name: 'kernel-access' },
);
