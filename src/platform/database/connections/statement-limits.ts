/**
 * How long a statement of the terminal's commands may take, in ms: they work on whole tables, and nobody waits for a page. Migrations take as long as they take.
 */
export const commandTimeoutMs = 10 * 60_000;

/** A request that finds no connection within this time, in ms, fails instead of waiting for ever. */
const connectTimeoutMs = 5_000;
/** A connection is replaced after so many seconds: by then it may lead to where the database no longer is. */
const maxLifetimeSeconds = 30 * 60;
/** A path without a word for so long is tried, in ms. */
const keepAliveMs = 10_000;

/**
 * What the driver is told, so that nothing waits for ever for a database that is slow or out of reach. The server's own settings are for its half of a lost
 * connection: a transaction that nobody will end holds its locks, and a dead session one of the server's places, until it notices.
 * @param timeoutMs what a statement may take; null: for ever
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
