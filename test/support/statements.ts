import pg from 'pg';
import { UnnamedStatements } from '../../src/platform/database/connections/unnamed-statements.ts';
import { askPrimary, askReplica } from '../../src/platform/database/replicas/replica.ts';
import { arrived } from './replication/asking-late.ts';
import { sql } from './sql.ts';

const watching = new Set([askPrimary, askReplica, arrived]);

export interface SentStatement {
  /** Null: it is planned anew each time. */
  name: string | null;
  text: string;
  values: unknown[];
}

/**
 * The statements that this process sends to PostgreSQL while `work` is done, in order, `begin` and `commit` included; but not the one that keeps
 * readings, once a second for all pages, behind their answers, nor those that watch replicas.
 */
export async function statementsDuring(work: () => Promise<unknown>): Promise<SentStatement[]> {
  const sent: SentStatement[] = [];
  const prototypes = [pg.Client.prototype, UnnamedStatements.prototype];
  const originals = prototypes.map(({ query }) => query);
  prototypes.forEach((prototype, index) => {
    const query = originals[index] as (this: unknown, ...args: unknown[]) => unknown;
    prototype.query = function watched(this: unknown, ...args: unknown[]) {
      // By the name that the site gives, whether or not PostgreSQL hears it.
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
  /** These only where the statement was run; of one loop. */
  'Actual Rows'?: number;
  'Actual Loops'?: number;
  'Rows Removed by Filter'?: number;
  'Rows Removed by Index Recheck'?: number;
  /** Pages of 8 KB, those of the steps below it included. */
  'Shared Hit Blocks'?: number;
  'Shared Read Blocks'?: number;
  Plans?: PlanNode[];
}

/**
 * The steps by which PostgreSQL does a statement.
 *
 * @param run does it, so that the rows and pages of each step are known
 * @param generic the plan that it keeps for a named statement, whatever the values are; cannot be run
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

/** Rows of a table that a plan has looked at, those that its conditions then left out included. */
export function rowsRead(plan: PlanNode[], table: string): number {
  const nodes = plan.filter((node) => node['Relation Name'] === table);
  const looked = (node: PlanNode) =>
    (node['Actual Rows'] ?? 0) + (node['Rows Removed by Filter'] ?? 0) + (node['Rows Removed by Index Recheck'] ?? 0);
  return nodes.reduce((sum, node) => sum + looked(node) * (node['Actual Loops'] ?? 1), 0);
}

/** Pages of 8 KB that a plan has looked at. */
export function pagesRead([root]: PlanNode[]): number {
  return (root?.['Shared Hit Blocks'] ?? 0) + (root?.['Shared Read Blocks'] ?? 0);
}
