import type { UseCaseContext } from '../use-cases/events.ts';

/**
 * Ends this process after so many ms, with exit code 1, unless it has ended by then: closing waits for requests, transactions and connections, and whichever
 * of them hangs must not keep a process that was told to go.
 */
export function endWithin(limitMs: number, log: Pick<UseCaseContext['log'], 'error'>): void {
  setTimeout(() => {
    log.error({ limitMs }, 'closing takes too long: ended all the same');
    process.exit(1);
  }, limitMs).unref();
}
