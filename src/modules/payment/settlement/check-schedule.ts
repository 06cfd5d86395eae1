const minute = 60_000;
const hour = 60 * minute;

/** Within this time a repeated start without outcome is the same attempt; afterwards the payment is late. In ms. */
export const sameAttemptWithin = 10 * minute;

const firstChecks = [1, 3, 6, 10].map((minutes) => minutes * minute);
const everyTenMinutesUntil = 6 * hour;
const hourlyUntil = 72 * hour;
/** Age until which a payment without any answer is checked, in ms: without an answer the payment may be paid. */
const silenceUntil = 7 * 24 * hour;
/** Longest respected pause of a provider, in ms. */
const maxRetryAfterMs = hour;

/**
 * Returns when to ask the provider next (payment-providers §6, rule 7): 1, 3, 6 and 10 minutes after the start, then every 10 minutes
 * until 6 h, hourly until 72 h. Null: the schedule is over.
 */
export function nextCheckAt(createdAt: Date, now: Date, { silent = false } = {}): Date | null {
  const start = createdAt.getTime();
  // A clock set back must not give times before the start.
  const age = Math.max(0, now.getTime() - start);
  const first = firstChecks.find((after) => after > age);
  if (first !== undefined) return new Date(start + first);
  const next = age < everyTenMinutesUntil ? after(age, 10 * minute) : after(age, hour);
  if (next <= (silent ? silenceUntil : hourlyUntil)) return new Date(start + next);
  return null;
}

const day = 24 * hour;
/** Refunds come days after their payment. After 30 days the paid access is over. */
const refundChecks = [1, 3, 7, 14, 30].map((days) => days * day);

/**
 * Returns when to check next whether a succeeded payment was refunded: 1, 3, 7, 14 and 30 days after it was settled. Null: no more
 * checks.
 */
export function nextRefundCheckAt(settledAt: Date, now: Date): Date | null {
  const age = now.getTime() - settledAt.getTime();
  const next = refundChecks.find((after) => after > age);
  return next === undefined ? null : new Date(settledAt.getTime() + next);
}

/** Returns the later of the schedule's time and the end of the provider's requested pause, which is at most an hour from now. */
export function withRetryAfter(scheduled: Date | null, now: Date, retryAfterSeconds: number | undefined): Date | null {
  if (scheduled === null || retryAfterSeconds === undefined) return scheduled;
  const asked = now.getTime() + Math.min(retryAfterSeconds * 1000, maxRetryAfterMs);
  return new Date(Math.max(scheduled.getTime(), asked));
}

const after = (age: number, step: number): number => (Math.floor(age / step) + 1) * step;
