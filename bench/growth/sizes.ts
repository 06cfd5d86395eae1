/** Number of rows in a database beside the demonstration. */
export interface Size {
  learners: number;
  prepas: number;
  /** Shared by five disciplines per prepa. */
  items: number;
  payments: number;
  readings: number;
  /** Learners' answers to questions; about so many, since a learner's second answer to a question is left out. */
  answers: number;
  auditEntries: number;
}

/**
 * Enough rows that each list fills a page and nearly every day of a year has totals, so that full pages are compared with full pages. The
 * learners in a list of payments are spread over as many PostgreSQL pages as among a million: the first access to a page costs a new
 * connection 10 µs or more.
 */
export const small: Size = {
  learners: 5_000,
  prepas: 60,
  items: 3_000,
  payments: 10_000,
  readings: 2_000,
  answers: 5_000,
  auditEntries: 10_000,
};

const whole: Size = {
  learners: 1_000_000,
  prepas: 2_000,
  items: 100_000,
  payments: 2_000_000,
  readings: 10_000_000,
  answers: 2_000_000,
  auditEntries: 500_000,
};

/** @param part factor of the full size; SCALE=0.1 is enough to examine a change */
export const large = (part: number): Size =>
  Object.fromEntries(Object.entries(whole).map(([name, rows]) => [name, Math.round(rows * part)])) as unknown as Size;
