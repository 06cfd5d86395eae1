/**
 * Checks new migrations against docs/decisions/063-migrations-without-downtime.md: their statements must not lock users out or break the
 * previous release.
 */
import type { Migration } from '@mikro-orm/migrations';
import { migrationList } from '../../migrations/list.ts';
import { dangersOf, describeStatement, type Parsed } from './statement-dangers.ts';

/** The last migration written before this check; earlier ones have been applied and are not checked. */
const lastUnjudged = '20261122174651-item-reports';

type Named = { name: string; class: new (driver: never, config: never) => Migration };

/** Returns the faults of the checked migrations, one per line, or null. */
export async function checkMigrationSafety(migrations: readonly Named[] = migrationList as unknown as Named[]): Promise<string | null> {
  const judged = migrations.filter(({ name }) => name > lastUnjudged);
  const found = await Promise.all(
    judged.map(async (migration) => (await judge(migration)).map((fault) => `migrations/${migration.name}: ${fault}`)),
  );
  return found.flat().join('\n') || null;
}

async function judge({ class: MigrationClass }: Named): Promise<string[]> {
  // Imported here because only this check needs PostgreSQL's parser.
  const { parse } = await import('libpg-query');
  const asked: string[] = [];
  const driver = {
    async execute(statement: string) {
      asked.push(statement);
      // Returns no rows, so that batches end after the first.
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
