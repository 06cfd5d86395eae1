import type { EntityManager } from '@mikro-orm/postgresql';
import type { FastifyBaseLogger } from 'fastify';
import type { FileStore } from '../files/storage.ts';
import type { Clock } from './clock.ts';

/** Context of every use case, besides the entity manager and its input. */
export interface UseCaseContext {
  clock: Clock;
  events: DomainEvents;
  /** Covers, and images in texts. */
  files: FileStore;
  /** Documents of items; served only to people who may read the item. */
  documents: FileStore;
  log: Pick<FastifyBaseLogger, 'debug' | 'info' | 'warn' | 'error'>;
}

/** Modules add their events here by declaration merging; the platform knows none of them. */
// biome-ignore lint/suspicious/noEmptyInterface: filled by declaration merging
export interface DomainEventMap {}

type Handler<Payload> = (em: EntityManager, payload: Payload, context: UseCaseContext) => Promise<void>;

/**
 * Domain events run inside the transaction that emits them, with its entity manager, in subscription order.
 * A handler that throws refuses the whole change: the transaction rolls back.
 */
export class DomainEvents {
  readonly #handlers = new Map<keyof DomainEventMap, Handler<never>[]>();

  on<Name extends keyof DomainEventMap>(name: Name, handler: Handler<DomainEventMap[Name]>): void {
    const handlers = this.#handlers.get(name) ?? [];
    handlers.push(handler as Handler<never>);
    this.#handlers.set(name, handlers);
  }

  /** @throws Error when `em` is not inside a transaction: an effect must never outlive a refused change. */
  async emit<Name extends keyof DomainEventMap>(
    em: EntityManager,
    context: UseCaseContext,
    name: Name,
    payload: DomainEventMap[Name],
  ): Promise<void> {
    if (!em.isInTransaction()) throw new Error(`domain event ${String(name)} emitted outside a transaction`);
    for (const handler of this.#handlers.get(name) ?? []) {
      await (handler as Handler<DomainEventMap[Name]>)(em, payload, context);
    }
  }
}
