import pg from 'pg';

export interface Statements {
  /** Texts of the statements that this process has sent since the last call. */
  take(): string[];
}

/**
 * Notes every statement that this process sends to PostgreSQL from now on, whoever sends it, `begin` and `commit` included; but not the one that keeps
 * readings, once a second for all pages, behind their answers.
 */
export function watchStatements(): Statements {
  const sent: string[] = [];
  const query = pg.Client.prototype.query as (this: unknown, ...args: unknown[]) => unknown;
  pg.Client.prototype.query = function watched(this: unknown, ...args: unknown[]) {
    const [statement] = args as [string | { name?: string; text?: string } | undefined];
    const { name, text = '?' } = typeof statement === 'string' ? { text: statement } : (statement ?? {});
    if (name !== 'content.keep-readings') sent.push(text);
    return query.apply(this, args);
  } as typeof query as typeof pg.Client.prototype.query;
  return { take: () => sent.splice(0) };
}
