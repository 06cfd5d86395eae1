import pg from 'pg';

export interface Statements {
  /** Texts of the statements that this process has sent since the last call. */
  take(): string[];
}

/** Notes every statement that this process sends to PostgreSQL from now on, whoever sends it, `begin` and `commit` included. */
export function watchStatements(): Statements {
  const sent: string[] = [];
  const query = pg.Client.prototype.query as (this: unknown, ...args: unknown[]) => unknown;
  pg.Client.prototype.query = function watched(this: unknown, ...args: unknown[]) {
    const [statement] = args as [string | { text?: string } | undefined];
    sent.push((typeof statement === 'string' ? statement : statement?.text) ?? '?');
    return query.apply(this, args);
  } as typeof query as typeof pg.Client.prototype.query;
  return { take: () => sent.splice(0) };
}
