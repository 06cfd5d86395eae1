import type { EntityManager } from '@mikro-orm/postgresql';
import type { Logger } from 'pino';
import { indexItems } from '../../content/index.ts';

/** Between two looks, in ms: what another release has saved is found after as long. */
const lookEveryMs = 30_000;

/** Writes again and again what items are found by whose texts were not written by this release. @returns what ends it */
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
