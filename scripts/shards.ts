/**
 * `make shards`: finds what a PostgreSQL sharded by learner could not answer on one shard: constraints and triggers of the migrated schema,
 * and the statements that the tests sent (.cache/statements.json). Fails when a finding has no line in docs/growth.md, or a line has no
 * finding. --constraints leaves the statements out; --list prints all findings.
 */
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { migrateDatabase } from '../src/migrations.ts';
import { openEmbeddedPostgres } from '../src/platform/database/embedded-postgres/embedded-postgres.ts';
import { projectRoot } from '../src/platform/settings/project-root.ts';
import { type Crossing, crossingConstraints } from './checks/shards/constraints.ts';
import { comparePage } from './checks/shards/page.ts';
import { type Columns, judgeStatement } from './checks/shards/statements.ts';

const statementsFile = join(projectRoot, '.cache/statements.json');
/** Characters shown of a statement. */
const shown = 160;
const withStatements = !process.argv.includes('--constraints');

const folder = mkdtempSync(join(tmpdir(), 'prepa-shards-'));
const postgres = await openEmbeddedPostgres({ dataDir: folder, settings: { fsync: 'off' } });
try {
  await migrateDatabase(postgres.url);
  const client = new pg.Client({ connectionString: postgres.url });
  await client.connect();
  const constraints = await crossingConstraints(client);
  const { kinds: statements, counted } = withStatements ? await crossingStatements(await columnsOf(client)) : { kinds: [], counted: '' };
  await client.end();
  if (process.argv.includes('--list')) for (const { name, why } of [...constraints, ...statements]) console.log(`${name}: ${why}`);
  const page = readFileSync(join(projectRoot, 'docs/growth.md'), 'utf8');
  const faults = [
    ...comparePage(page, 'Constraints and triggers', constraints),
    ...(withStatements ? comparePage(page, 'Statements', statements) : []),
  ];
  console.log(
    `${constraints.length} constraints and triggers${withStatements ? `, ${statements.length} kinds of statements (${counted})` : ''} would cross shards`,
  );
  for (const fault of faults) console.log(fault);
  if (faults.length > 0) process.exitCode = 1;
} finally {
  await postgres.close();
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
}

async function columnsOf(client: pg.Client): Promise<Columns> {
  const { rows } = await client.query<{ table: string; column: string }>(
    `select relname::text as table, attname::text as column from pg_class join pg_attribute on attrelid = pg_class.oid
     where relkind = 'r' and relnamespace = current_schema()::regnamespace and attnum > 0 and not attisdropped`,
  );
  return new Map(
    [...Map.groupBy(rows, ({ table }) => table)].map(([table, columns]) => [table, new Set(columns.map(({ column }) => column))]),
  );
}

/** Returns one finding per kind of statement; the tests send many statements of each kind. */
async function crossingStatements(columns: Columns): Promise<{ kinds: Crossing[]; counted: string }> {
  if (!existsSync(statementsFile)) throw new Error('no statements were recorded: run `make shards`');
  // Imported here because only this check needs PostgreSQL's parser.
  const { parse } = await import('libpg-query');
  const found = new Map<string, string[]>();
  const texts = JSON.parse(readFileSync(statementsFile, 'utf8')) as string[];
  let crossing = 0;
  for (const text of texts) {
    for (const { stmt } of (await parse(text)).stmts ?? []) {
      const verdicts = judgeStatement(stmt, columns);
      if (verdicts.length > 0) crossing += 1;
      for (const verdict of verdicts) found.set(verdict, [...(found.get(verdict) ?? []), text.replaceAll(/\s+/g, ' ').slice(0, shown)]);
    }
  }
  const kinds = [...found]
    .map(([name, those]) => ({ name, why: [`${those.length} statements`, ...those].join('\n    ') }))
    .toSorted((a, b) => a.name.localeCompare(b.name));
  return { kinds, counted: `${crossing} of ${texts.length} statements` };
}
