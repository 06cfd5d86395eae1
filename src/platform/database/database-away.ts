import { describeTlsFailure } from './connections/tls-failure.ts';

/** What PostgreSQL answers while it cannot do its work, and what the network says in its place; see `isDatabaseAway`. */
const away = [
  /** Connections: refused, broken, or those of a database, a role or a password that are not there now. */
  /^(08\w{3}|28\w{3}|3D000)$/,
  /** Starting, stopping, or taking no connections. */
  /^(57P0\w|55000)$/,
  /** No connection, memory or disk space left. */
  /^53\w{3}$/,
  /** Slower than we wait: a statement, or a transaction that nobody ended. */
  /^(57014|25P03)$/,
  /** Read-only: a replica, or maintenance. */
  /^25006$/,
  /^(ECONNREFUSED|ECONNRESET|EPIPE|ETIMEDOUT|EHOSTUNREACH|EHOSTDOWN|ENETUNREACH|ENETDOWN|ENOTFOUND|EAI_AGAIN)$/,
];

/** The words of the driver and its pool, which give no code; the ORM puts the statement before them. */
const awayWords =
  /timeout exceeded when trying to connect|timeout expired|Connection terminated|Client has encountered a connection error|Client was closed|Query read timeout/;

/**
 * Whether an error says that the database cannot be reached or cannot work now, and may again in a moment. The one place that knows: nothing is wrong
 * with the request, which is answered with 503. What was being committed just then may have been written all the same.
 */
export function isDatabaseAway(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if (describeTlsFailure(error) !== null) return true;
  const { code } = error as { code?: unknown };
  if (typeof code === 'string' && away.some((pattern) => pattern.test(code))) return true;
  // Of several addresses none answered.
  if (error instanceof AggregateError && error.errors.length > 0) return error.errors.every(isDatabaseAway);
  return code === undefined && awayWords.test(error.message);
}
