import pg from 'pg';

type Query = (statement: unknown, ...rest: unknown[]) => unknown;

/**
 * A connection that names no statement, whoever asks: reads of our own, and packages that name theirs. A pooler that hands each transaction another session of
 * PostgreSQL would look for the name where nobody has said it.
 */
export class UnnamedStatements extends pg.Client {}

// All of the driver's forms at once, which a method would have to declare one by one.
UnnamedStatements.prototype.query = function unnamed(this: pg.Client, statement: unknown, ...rest: unknown[]): unknown {
  const isNamed = typeof statement === 'object' && statement !== null && 'name' in statement;
  return (pg.Client.prototype.query as Query).call(this, isNamed ? { ...statement, name: undefined } : statement, ...rest);
} as typeof pg.Client.prototype.query;
