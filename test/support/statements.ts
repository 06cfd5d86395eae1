import pg from 'pg';
import { UnnamedStatements } from '../../src/platform/database/connections/unnamed-statements.ts';
import { askPrimary, askReplica } from '../../src/platform/database/replicas/replica.ts';
import { arrived } from './replication/asking-late.ts';
import { sql } from './sql.ts';

const watching = new Set([askPrimary, askReplica, arrived]);

export interface SentStatement {
  /** Null for a statement that is planned at each execution. */
  name: string | null;
  text: string;
  values: unknown[];
}

/**
 * Returns the statements that this process sends to PostgreSQL while `work` runs, in order, including `begin` and `commit`. Leaves out the
 * write of reading marks, which runs once a second for all pages after their responses, and the statements that watch replicas.
 */
export async function statementsDuring(work: () => Promise<unknown>): Promise<SentStatement[]> {
  const sent: SentStatement[] = [];
  const prototypes = [pg.Client.prototype, UnnamedStatements.prototype];
  const originals = prototypes.map(({ query }) => query);
  prototypes.forEach((prototype, index) => {
    const query = originals[index] as (this: unknown, ...args: unknown[]) => unknown;
    prototype.query = function watched(this: unknown, ...args: unknown[]) {
      // Uses the site's statement name, whether or not it is sent to PostgreSQL.
      const isHeardAlready = index === 0 && this instanceof UnnamedStatements;
      const [statement, values] = args as [string | Partial<SentStatement>, unknown[] | undefined];
      const { name = null, text = '?', values: own } = typeof statement === 'string' ? { text: statement } : statement;
      if (!isHeardAlready && name !== 'content.keep-readings' && !watching.has(text))
        sent.push({ name, text, values: own ?? (Array.isArray(values) ? values : []) });
      return query.apply(this, args);
    } as typeof prototype.query;
  });
  try {
    await work();
  } finally {
    prototypes.forEach((prototype, index) => {
      prototype.query = originals[index] as typeof prototype.query;
    });
  }
  return sent;
}

export interface PlanNode {
  'Node Type': string;
  'Relation Name'?: string;
  'Index Name'?: string;
  'Subplan Name'?: string;
  /** These figures exist only for executed statements, and are averages per loop. */
  'Actual Rows'?: number;
  'Actual Loops'?: number;
  'Rows Removed by Filter'?: number;
  'Rows Removed by Index Recheck'?: number;
  /** Pages of 8 KB, including those of child nodes. */
  'Shared Hit Blocks'?: number;
  'Shared Read Blocks'?: number;
  Plans?: PlanNode[];
}

/**
 * Returns the nodes of a statement's plan.
 *
 * @param run executes the statement, so that the rows and pages of each node are known
 * @param generic returns the generic plan of a named statement, independent of its values; it cannot be executed
 */
export async function planOf(
  databaseUrl: string,
  statement: Pick<SentStatement, 'text' | 'values'> | undefined,
  { run = false, generic = false } = {},
): Promise<PlanNode[]> {
  const explain = `explain (format json, analyze ${run}, buffers ${run}, generic_plan ${generic}) ${statement?.text}`;
  const [answer] = await sql<{ 'QUERY PLAN': [{ Plan: PlanNode }] }>(databaseUrl, explain, generic ? undefined : statement?.values);
  if (!answer) throw new Error('no plan');
  return flatten(answer['QUERY PLAN'][0].Plan);
}

const flatten = (node: PlanNode): PlanNode[] => [node, ...(node.Plans ?? []).flatMap(flatten)];

/** Returns the rows of a table that a plan has read, including rows removed by filters. */
export function rowsRead(plan: PlanNode[], table: string): number {
  const nodes = plan.filter((node) => node['Relation Name'] === table);
  const looked = (node: PlanNode) =>
    (node['Actual Rows'] ?? 0) + (node['Rows Removed by Filter'] ?? 0) + (node['Rows Removed by Index Recheck'] ?? 0);
  return nodes.reduce((sum, node) => sum + looked(node) * (node['Actual Loops'] ?? 1), 0);
}

/** Returns the pages of 8 KB that a plan has read. */
export function pagesRead([root]: PlanNode[]): number {
  return (root?.['Shared Hit Blocks'] ?? 0) + (root?.['Shared Read Blocks'] ?? 0);
}
