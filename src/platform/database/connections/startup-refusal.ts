/** Startup parameters sent by `driverLimits` that PgBouncer does not know. */
const ignored = 'statement_timeout,idle_in_transaction_session_timeout,options';

/** Returns one French line that says why a pooler refused a connection and how to fix it; null if the error has another cause. */
export function describeStartupRefusal(error: unknown): string | null {
  const [, parameter] = /unsupported startup parameter(?: in options)?: (\w+)/.exec(error instanceof Error ? error.message : '') ?? [];
  if (!parameter) return null;
  return `Le pooler devant PostgreSQL refuse les connexions qui demandent ${parameter} : réglez-y ignore_startup_parameters = ${ignored}`;
}
