import type { Test } from 'tap';

/** What `work` opens on `t` is closed when it is done, the last first: for copies of a site that end before their test does. */
export async function scoped<Result>(work: (t: Test) => Promise<Result>): Promise<Result> {
  const undo: (() => unknown)[] = [];
  try {
    // All that is asked of a test is to be told when it ends.
    return await work({ teardown: (one: () => unknown) => undo.push(one) } as unknown as Test);
  } finally {
    for (const one of undo.reverse()) await one();
  }
}
