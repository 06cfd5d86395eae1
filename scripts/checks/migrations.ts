/** Holds new migrations against docs/decisions/063-migrations-without-downtime.md: what they ask of PostgreSQL must lock nobody out, and let the release before go on. */
import type { Migration } from '@mikro-orm/migrations';
import { migrationList } from '../../migrations/list.ts';
import { dangersOf, describeStatement, type Parsed } from './statement-dangers.ts';

/** The last of those that were written before there was this check; they have been applied. */
const lastUnjudged = '20261122174651-item-reports';

type Named = { name: string; class: new (driver: never, config: never) => Migration };

/** What is wrong with the migrations that are judged, a line each, or null. */
export async function checkMigrationSafety(migrations: readonly Named[] = migrationList as unknown as Named[]): Promise<string | null> {
  const judged = migrations.filter(({ name }) => name > lastUnjudged);
  const found = await Promise.all(
    judged.map(async (migration) => (await judge(migration)).map((fault) => `migrations/${migration.name}: ${fault}`)),
  );
  return found.flat().join('\n') || null;
}

async function judge({ class: MigrationClass }: Named): Promise<string[]> {
  // Loaded here: it brings PostgreSQL's own parser, which nothing else needs.
  const { parse } = await import('libpg-query');
  const asked: string[] = [];
  const driver = {
    async execute(statement: string) {
      asked.push(statement);
      // No rows: batches end with the first.
      return [];
    },
  };
  const migration = new MigrationClass(driver as never, {} as never);
  await migration.up();
  const statements: Parsed[] = [];
  for (const text of [...asked, ...migration.getQueries().map(String)]) {
    for (const { stmt } of (await parse(text)).stmts ?? []) statements.push({ node: stmt as Parsed['node'], text });
  }
  return dangersOf(statements, { transactional: migration.isTransactional() }).map(
    ({ danger, statement }) => `${danger}\n    ${describeStatement(statement)}`,
  );
}
