/**
 * Each site that a test starts as a separate process (`createWorld`) has two web processes that share their counters; applications inside a
 * test's process remain single.
 */
export const processes = async () => ({ databaseHost: null, env: { WEB_PROCESSES: '2' }, close: async () => {} });
