/** How much stands in a database beside the demonstration. */
export interface Size {
  learners: number;
  prepas: number;
  /** Five disciplines a prepa share them. */
  items: number;
  payments: number;
  /** Reading marks. */
  readings: number;
  auditEntries: number;
}

/**
 * Enough that each list of a page is full, of a year's totals nearly every day: what is compared then is a full page with a full page. The learners of a list of payments
 * stand on as many pages of PostgreSQL's as they do among a million: the first look into a page costs a new connection 10 µs and more.
 */
export const small: Size = { learners: 5_000, prepas: 60, items: 3_000, payments: 10_000, readings: 2_000, auditEntries: 10_000 };

const whole: Size = {
  learners: 1_000_000,
  prepas: 2_000,
  items: 100_000,
  payments: 2_000_000,
  readings: 10_000_000,
  auditEntries: 500_000,
};

/** @param part of the whole; SCALE=0.1 is enough to look at a change */
export const large = (part: number): Size =>
  Object.fromEntries(Object.entries(whole).map(([name, rows]) => [name, Math.round(rows * part)])) as unknown as Size;
