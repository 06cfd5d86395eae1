import { within } from '../../../platform/work/within.ts';

/** A page does not wait longer for a provider; what was asked goes on after it has been answered. In ms. */
const pageTimeoutMs = 4_000;

/** What `work` comes to; null when it takes longer than a page waits. */
export const withinTimeout = <Result>(work: Promise<Result>): Promise<Result | null> => within(work, pageTimeoutMs, () => null);
