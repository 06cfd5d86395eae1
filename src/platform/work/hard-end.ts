import type { UseCaseContext } from '../use-cases/events.ts';

/**
 * Ends this process with exit code 1 after `limitMs`, unless it has ended before. Closing waits for requests, transactions and connections;
 * if one of these hangs, the process must still end.
 */
export function endWithin(limitMs: number, log: Pick<UseCaseContext['log'], 'error'>): void {
  setTimeout(() => {
    log.error({ limitMs }, 'closing takes too long: ended all the same');
    process.exit(1);
  }, limitMs).unref();
}
