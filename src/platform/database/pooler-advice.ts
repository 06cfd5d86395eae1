import pg from 'pg';
import { connected } from './connections/connected.ts';
import { describeStartupRefusal } from './connections/startup-refusal.ts';
import { driverLimits } from './connections/statement-limits.ts';
import { findPooler, nameOf, type Pooler } from './pooler.ts';

interface SiteConnections {
  namedStatements: boolean;
  /** Statement timeout, in ms. */
  timeoutMs: number;
}

export interface PoolerAdvice {
  /** The pooler at the address, in French; null: PostgreSQL itself. */
  found: string | null;
  /** Problems that prevent the site from working through the pooler, each with its remedy, in French. */
  faults: string[];
  /** Possible improvements, in French. */
  hints: string[];
}

/** Returns advice, in French, about the connection between the site and its database. */
export async function poolerAdvice(url: string, site: SiteConnections): Promise<PoolerAdvice> {
  const pooler = await findPooler(url);
  if (!pooler) {
    const hints = site.namedStatements
      ? []
      : ['DATABASE_NAMED_STATEMENTS=off ne sert que derrière un pooler, et coûte du temps : réglez on'];
    return { found: null, faults: [], hints };
  }
  const refusal = await startupRefusal(url, site.timeoutMs);
  return {
    found: `${nameOf(pooler)}${pooler.version === null ? ' (stats_users de PgBouncer dit qui peut lire sa version)' : ''}`,
    faults: [...modeFaults(pooler, site), ...(refusal === null ? [] : [refusal])],
    hints: [
      ...(pooler.mode === 'transaction' && pooler.keepsNames && !site.namedStatements
        ? ['ce pooler connaît les instructions nommées : DATABASE_NAMED_STATEMENTS=on épargne du travail à PostgreSQL']
        : []),
      ...(await limitHints(url, pooler, site)),
    ],
  };
}

function modeFaults({ mode, keepsNames }: Pooler, { namedStatements }: SiteConnections): string[] {
  if (mode === 'statement') return ['ce mode refuse les transactions : réglez pool_mode = transaction'];
  if (keepsNames || !namedStatements) return [];
  return [
    'il perd les instructions nommées : réglez DATABASE_NAMED_STATEMENTS=off, ou PgBouncer 1.21 au moins avec max_prepared_statements',
  ];
}

/** Tries to sign in with the site's own connection options. Returns the pooler's refusal, or null. */
async function startupRefusal(url: string, timeoutMs: number): Promise<string | null> {
  const client = new pg.Client({ connectionString: url, ...driverLimits(timeoutMs) });
  client.on('error', () => {});
  try {
    await client.connect();
    return null;
  } catch (error) {
    return describeStartupRefusal(error);
  } finally {
    await client.end();
  }
}

/**
 * Returns hints if the timeouts do not reach PostgreSQL, which would then continue statements that the site has given up. A role can carry
 * the timeouts instead.
 */
async function limitHints(url: string, pooler: Pooler, { timeoutMs }: SiteConnections): Promise<string[]> {
  const wanted = { statement_timeout: timeoutMs, idle_in_transaction_session_timeout: 3 * timeoutMs };
  const held = { statement_timeout: pooler.statementTimeoutMs, idle_in_transaction_session_timeout: pooler.idleInTransactionTimeoutMs };
  const missing = (Object.keys(wanted) as (keyof typeof wanted)[]).filter((name) => held[name] === 0 || held[name] > wanted[name]);
  if (missing.length === 0) return [];
  const { rows } = await connected(url, (client) =>
    client.query<{ role: string; database: string }>(
      'select quote_ident(current_user) as role, quote_ident(current_database()) as database',
    ),
  );
  const [at] = rows;
  const statements = missing.map((name) => `alter role ${at?.role} in database ${at?.database} set ${name} = ${wanted[name]};`);
  return [
    `les limites de DATABASE_TIMEOUT_MS ne passent pas par un pooler, et PostgreSQL poursuivrait ce que le site abandonne : demandez à qui l'administre « ${statements.join(' ')} », puis RECONNECT dans PgBouncer`,
  ];
}
