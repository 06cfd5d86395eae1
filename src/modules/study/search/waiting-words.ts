import type { EntityManager } from '@mikro-orm/postgresql';
import type { Logger } from 'pino';
import { indexItems } from '../../content/index.ts';

/** Interval between two runs, in ms. Texts saved by another release become searchable after at most this time. */
const lookEveryMs = 30_000;

/** Regularly indexes items whose texts were saved by another release. @returns a function that stops the runs */
export function watchWaitingWords(fork: () => EntityManager, log: Logger): () => Promise<void> {
  let looking: Promise<void> | undefined;
  const look = async () => {
    try {
      await indexItems(fork());
    } catch (error) {
      log.error({ err: error }, 'the words of items could not be written');
    }
    looking = undefined;
  };
  const timer = setInterval(() => {
    looking ??= look();
  }, lookEveryMs).unref();
  return async () => {
    clearInterval(timer);
    await looking;
  };
}
