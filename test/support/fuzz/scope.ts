import type { Test } from 'tap';

/**
 * Runs `work` with its own test object; the clean-ups registered on it run afterwards, in reverse order. For copies of a site that end
 * before their test.
 */
export async function scoped<Result>(work: (t: Test) => Promise<Result>): Promise<Result> {
  const undo: (() => unknown)[] = [];
  try {
    // `work` calls only `teardown` of the test.
    return await work({ teardown: (one: () => unknown) => undo.push(one) } as unknown as Test);
  } finally {
    for (const one of undo.reverse()) await one();
  }
}
