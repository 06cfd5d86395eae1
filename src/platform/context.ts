import type { FastifyBaseLogger } from 'fastify';
import type { Clock } from './clock.ts';
import type { DomainEvents } from './events.ts';

/** What every use case is given beside the entity manager and its input. */
export interface UseCaseContext {
  clock: Clock;
  events: DomainEvents;
  log: Pick<FastifyBaseLogger, 'debug' | 'info' | 'warn' | 'error'>;
}
