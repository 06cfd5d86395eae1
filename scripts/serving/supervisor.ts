import type { Service } from './services.ts';

/**
 * Runs `start` until a signal comes or a started service ends by itself. Then stops all services, the last started first, and ends this
 * process: with 0 after a signal, with 1 after an error, which is printed in one line.
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
    // `start` may still start a service after the signal.
    await running;
  } catch (error) {
    // An error of a command that Ctrl-C interrupted is not reported.
    if (!signalled) {
      failed = true;
      console.error(error instanceof Error ? error.message : String(error));
    }
  }
  if (signalled) console.log('\nArrêt...');
  for (const service of started.toReversed()) await service.stop();
  process.exit(failed ? 1 : 0);
}

/** Never resolves: rejects when the first service ends. */
export async function firstToEnd(services: Service[]): Promise<never> {
  const [name, end] = await Promise.race(services.map(async (service) => [service.name, await service.ended] as const));
  throw new Error(`${name} s'est arrêté${end === null ? '' : ` (${end})`}.`);
}

/** A second Ctrl-C does not wait. PostgreSQL stops by itself when this process has ended. */
function giveUp(started: Service[]): never {
  for (const service of started) service.kill();
  process.exit(130);
}
