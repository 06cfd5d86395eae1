/** What `driverLimits` asks for when a connection begins, and PgBouncer does not know. */
const ignored = 'statement_timeout,idle_in_transaction_session_timeout,options';

/** Why a pooler has not taken a connection, as one French line with what mends it; null when the error is about something else. */
export function describeStartupRefusal(error: unknown): string | null {
  const [, parameter] = /unsupported startup parameter(?: in options)?: (\w+)/.exec(error instanceof Error ? error.message : '') ?? [];
  if (!parameter) return null;
  return `Le pooler devant PostgreSQL refuse les connexions qui demandent ${parameter} : réglez-y ignore_startup_parameters = ${ignored}`;
}
