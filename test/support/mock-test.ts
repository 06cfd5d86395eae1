import type { Test } from 'tap';

/** Returns a test object that records failures, to check that an assertion fails when it must. */
export function mockTest(t: Test): { failures: string[]; mock: Test } {
  const failures: string[] = [];
  const mock = {
    teardown: (handler: () => unknown) => t.teardown(handler),
    fail: (text: string) => failures.push(text),
    same: (found: unknown, wanted: unknown, name: string) => {
      if (JSON.stringify(found) !== JSON.stringify(wanted)) failures.push(`${name}: ${JSON.stringify(found)}`);
    },
  };
  return { failures, mock: mock as unknown as Test };
}
