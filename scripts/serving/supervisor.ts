import type { Service } from './services.ts';

/**
 * Runs `start` until a signal comes or something that it started ends by itself; then stops everything, the last started first, and ends
 * this process: 0 when it was asked to, 1 when something went wrong, with one line about it.
 */
export async function supervise(start: (started: Service[]) => Promise<void>): Promise<never> {
  const started: Service[] = [];
  let signalled: NodeJS.Signals | undefined;
  const interrupted = new Promise<void>((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
      process.on(signal, () => {
        if (signalled) giveUp(started);
        signalled = signal;
        resolve();
      });
    }
  });

  let failed = false;
  try {
    const running = start(started);
    await Promise.race([running, interrupted]);
    if (!signalled) await Promise.race([firstToEnd(started), interrupted]);
    // What was under way when the signal came may still start something.
    await running;
  } catch (error) {
    // A command that Ctrl-C ended has nothing to tell.
    if (!signalled) {
      failed = true;
      console.error(error instanceof Error ? error.message : String(error));
    }
  }
  if (signalled) console.log('\nArrêt...');
  for (const service of started.toReversed()) await service.stop();
  process.exit(failed ? 1 : 0);
}

/** Never succeeds: whatever ends by itself takes the rest with it. */
export async function firstToEnd(services: Service[]): Promise<never> {
  const [name, end] = await Promise.race(services.map(async (service) => [service.name, await service.ended] as const));
  throw new Error(`${name} s'est arrêté${end === null ? '' : ` (${end})`}.`);
}

/** A second Ctrl-C does not wait. PostgreSQL stops by itself when this process has gone. */
function giveUp(started: Service[]): never {
  for (const service of started) service.kill();
  process.exit(130);
}
