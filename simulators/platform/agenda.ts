import type { SimulatedClock } from './clock.ts';

/** The maximum delay of setTimeout, in ms. */
const LONGEST_DELAY_MS = 2_147_483_647;

interface Appointment {
  at: number;
  task: () => unknown;
  timer: NodeJS.Timeout;
}

/** Tasks planned at times of the simulated clock. */
export interface Agenda {
  /** Plans a task and replaces the one planned under the same key. `at`: epoch ms. */
  plan(key: string, at: number, task: () => unknown): void;
  cancel(key: string): void;
  /** Runs all tasks that are due, the earliest first, including those they plan. A test's clock can move without a timer firing. */
  runDue(): Promise<void>;
  clear(): void;
}

/** @param onError called when a task throws or rejects */
export function createAgenda(clock: SimulatedClock, onError: (error: unknown) => void): Agenda {
  const planned = new Map<string, Appointment>();

  function cancel(key: string): void {
    clearTimeout(planned.get(key)?.timer);
    planned.delete(key);
  }

  async function run(key: string, { task }: Appointment): Promise<void> {
    cancel(key);
    try {
      await task();
    } catch (error) {
      onError(error);
    }
  }

  function wait(key: string, at: number): NodeJS.Timeout {
    // The timer may fire before `at` by a slow or stopped simulated clock: then wait again.
    const delay = Math.min(Math.max(1, clock.delayUntil(at)), LONGEST_DELAY_MS);
    return setTimeout(() => {
      const appointment = planned.get(key);
      if (!appointment) return;
      if (clock.now() >= at) void run(key, appointment);
      else appointment.timer = wait(key, at);
    }, delay).unref();
  }

  function earliestDue(): [string, Appointment] | undefined {
    let earliest: [string, Appointment] | undefined;
    for (const entry of planned) {
      if (entry[1].at <= Math.min(clock.now(), (earliest?.[1].at ?? Number.POSITIVE_INFINITY) - 1)) earliest = entry;
    }
    return earliest;
  }

  return {
    cancel,
    plan(key, at, task) {
      cancel(key);
      planned.set(key, { at, task, timer: wait(key, at) });
    },
    async runDue() {
      for (let next = earliestDue(); next; next = earliestDue()) await run(...next);
    },
    clear() {
      for (const key of [...planned.keys()]) cancel(key);
    },
  };
}
