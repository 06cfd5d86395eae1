import type { EntityManager, MikroORM } from '@mikro-orm/postgresql';
import fp from 'fastify-plugin';
import { type Replicas, readFromReplicas } from '../database/replicas/replicas.ts';
import type { Mailer } from '../mail/mailer.ts';
import type { Config } from '../settings/config.ts';
import type { UseCaseContext } from './events.ts';

/** The part of the kernel that modules may use. */
export interface ModuleKernel {
  config: Config;
  orm: MikroORM;
  context: UseCaseContext;
  /** Null if no e-mail server is configured. */
  mailer: Mailer | null;
  /** Null if there are no replicas: all reads go to the primary. */
  replicas: Replicas | null;
  fork(): EntityManager;
}

declare module 'fastify' {
  interface FastifyRequest {
    /** The request's own entity manager, created at first use. */
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
          // Requests that change data must not decide by stale reads, so they read from the primary.
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
