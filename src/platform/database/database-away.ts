import { describeTlsFailure } from './connections/tls-failure.ts';

/** SQLSTATEs of a database that cannot work now, and error codes of the network; see `isDatabaseAway`. */
const away = [
  /** Connection refused or broken; database, role or password currently invalid. */
  /^(08\w{3}|28\w{3}|3D000)$/,
  /** Server starting, stopping, or accepting no connections. */
  /^(57P0\w|55000)$/,
  /** Out of connections, memory or disk space. */
  /^53\w{3}$/,
  /** Timeout of a statement, or of a transaction left open. */
  /^(57014|25P03)$/,
  /** Read-only: a standby, or maintenance. */
  /^25006$/,
  /^(ECONNREFUSED|ECONNRESET|EPIPE|ETIMEDOUT|EHOSTUNREACH|EHOSTDOWN|ENETUNREACH|ENETDOWN|ENOTFOUND|EAI_AGAIN)$/,
];

/** Messages of the driver and its pool, which have no code; the ORM prepends the statement. */
const awayWords =
  /timeout exceeded when trying to connect|timeout expired|Connection terminated|Client has encountered a connection error|Client was closed|Query read timeout/;

/**
 * Returns whether an error means that the database is unreachable or cannot work now, but may in a moment. Only this function decides that.
 * The request itself is valid; the response is 503. A commit that was in progress may have succeeded.
 */
export function isDatabaseAway(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if (describeTlsFailure(error) !== null) return true;
  const { code } = error as { code?: unknown };
  if (typeof code === 'string' && away.some((pattern) => pattern.test(code))) return true;
  // None of several addresses responded.
  if (error instanceof AggregateError && error.errors.length > 0) return error.errors.every(isDatabaseAway);
  return code === undefined && awayWords.test(error.message);
}
