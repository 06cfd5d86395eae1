import pg from 'pg';

type Query = (statement: unknown, ...rest: unknown[]) => unknown;

/**
 * A connection that removes the names of all prepared statements, including those of packages. A pooler in transaction mode may run the
 * next transaction in another session of PostgreSQL, where the name is unknown.
 */
export class UnnamedStatements extends pg.Client {}

// Assigned instead of overridden: a method would have to declare each of the driver's overloads.
UnnamedStatements.prototype.query = function unnamed(this: pg.Client, statement: unknown, ...rest: unknown[]): unknown {
  const isNamed = typeof statement === 'object' && statement !== null && 'name' in statement;
  return (pg.Client.prototype.query as Query).call(this, isNamed ? { ...statement, name: undefined } : statement, ...rest);
} as typeof pg.Client.prototype.query;
