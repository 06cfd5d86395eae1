import { setTimeout as wait } from 'node:timers/promises';
import type { EntityManager } from '@mikro-orm/postgresql';
import type { UseCaseContext } from '../../../../platform/use-cases/events.ts';
import type { Written } from '../saves/item.service.ts';
import { type PublicationCounts, publishDue } from './publish.service.ts';

interface LoopOptions {
  /** Wait between the end of one pass and the start of the next, in ms. */
  everyMs: number;
  /** Ends the loop after the current pass. */
  signal: AbortSignal;
  /** Called after each published item. */
  afterEach: (written: Written) => Promise<void>;
  /** Called after each pass. */
  onPass?: (counts: PublicationCounts) => void;
}

/**
 * Publishes the drafts that are due, repeatedly until it is stopped. Any number of loops may run on any number of machines. A failed
 * pass (such as during a database restart) is logged, and the next one tries again.
 */
export async function publishMeanwhile(
  fork: () => EntityManager,
  context: UseCaseContext,
  { everyMs, signal, afterEach, onPass }: LoopOptions,
): Promise<void> {
  while (!signal.aborted) {
    try {
      const counts = await publishDue(fork(), context, { afterEach, signal });
      onPass?.(counts);
    } catch (error) {
      context.log.error({ alert: 'publication', err: error }, 'planned drafts could not be published');
    }
    await wait(everyMs, undefined, { signal }).catch(() => undefined);
  }
}
