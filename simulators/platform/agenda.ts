import type { SimulatedClock } from './clock.ts';

/** Longest delay of a timer, in ms. */
const LONGEST_DELAY_MS = 2_147_483_647;

interface Appointment {
  at: number;
  task: () => unknown;
  timer: NodeJS.Timeout;
}

/** What is to happen later by the simulator's clock. */
export interface Agenda {
  /** Takes the place of what was planned under the same key. `at`: epoch ms. */
  plan(key: string, at: number, task: () => unknown): void;
  cancel(key: string): void;
  /** Runs what is due, the earliest first, also what that plans: a test's clock moves without any timer firing. */
  runDue(): Promise<void>;
  clear(): void;
}

/** `onError`: a task threw or rejected. */
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
    // A clock that stands still, or turns slower than a timer, is looked at again.
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
