import { within } from '../../../platform/work/within.ts';

/** Longest wait of a page for a provider, in ms. The request continues after the response. */
const pageTimeoutMs = 4_000;

/** Returns the result of `work`; null when it takes longer than a page waits. */
export const withinTimeout = <Result>(work: Promise<Result>): Promise<Result | null> => within(work, pageTimeoutMs, () => null);
