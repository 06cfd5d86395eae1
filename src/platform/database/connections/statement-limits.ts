/** Statement timeout of the CLI's commands, in ms: they work on whole tables, and no page waits for them. Migrations have none. */
export const commandTimeoutMs = 10 * 60_000;

/** A request that gets no connection within this time fails, in ms. */
const connectTimeoutMs = 5_000;
/** Connections are replaced after this time, in seconds: the address may lead to another server by then. */
const maxLifetimeSeconds = 30 * 60;
/** Idle time after which a connection is probed, in ms. */
const keepAliveMs = 10_000;

/**
 * Returns driver options with timeouts, so that nothing waits without limit for a slow or unreachable database. The keepalives in `options`
 * let the server notice a lost client: until then an abandoned transaction holds its locks, and a dead session one of the server's
 * connections.
 * @param timeoutMs statement timeout; null: none
 */
export function driverLimits(timeoutMs: number | null) {
  return {
    connectionTimeoutMillis: timeoutMs === null ? connectTimeoutMs : Math.min(connectTimeoutMs, timeoutMs),
    keepAlive: true,
    keepAliveInitialDelayMillis: keepAliveMs,
    maxLifetimeSeconds,
    options: '-c tcp_keepalives_idle=30 -c tcp_keepalives_interval=10 -c tcp_keepalives_count=3',
    ...(timeoutMs !== null && { statement_timeout: timeoutMs, idle_in_transaction_session_timeout: 3 * timeoutMs }),
  };
}
