/** Each site that a test starts as a process of its own (`createWorld`) is two that count together; applications within a test's own process stay one. */
export const processes = async () => ({ databaseHost: null, env: { WEB_PROCESSES: '2' }, close: async () => {} });
