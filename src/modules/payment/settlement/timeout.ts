import { setTimeout as wait } from 'node:timers/promises';

/** A browser does not wait longer for a provider; what was asked goes on behind its page. In ms. */
const patience = 4_000;

/** What `work` comes to; null when it takes longer than a page waits. */
export const withinPatience = <Result>(work: Promise<Result>): Promise<Result | null> =>
  Promise.race([work, wait(patience, null, { ref: false })]);
