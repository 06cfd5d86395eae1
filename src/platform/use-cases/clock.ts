/** The one source of time. Tests and the CLI's `--at` move it; SQL receives it as a parameter. */
export interface Clock {
  now(): Date;
}

export const systemClock: Clock = { now: () => new Date() };

/** Returns a clock that always shows `instant` (for `--at`). */
export function clockAt(instant: Date): Clock {
  return { now: () => new Date(instant) };
}
