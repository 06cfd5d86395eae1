/**
 * `ONLY=migrating make soak`: migrations rewrite ITEMS (100,000) items while other connections read and write them. Prints the longest wait
 * of a read and of a write, and for comparison the waits during the same rewriting in one statement.
 */
import { Migration } from '@mikro-orm/migrations';
import type { MigrationObject } from '@mikro-orm/postgresql';
import pg from 'pg';
import { migrationList } from '../../migrations/list.ts';
import { migrateDatabase } from '../../src/migrations.ts';
import { OnlineMigration } from '../../src/platform/database/online-migration.ts';
import { type Random, seeded } from '../../test/support/random.ts';
import { sql } from '../../test/support/sql.ts';

/** Longest accepted wait of a statement, in ms. */
const maxWaitMs = 2_000;

class Expand extends Migration {
  override up(): void {
    this.addSql('alter table item add column abstract text');
  }
}
class Fill extends OnlineMigration {
  override async up(): Promise<void> {
    await this.updateInBatches({ table: 'item', where: 'abstract is null', set: 'abstract = left(item.contenu, 60)' });
  }
}
class Constrain extends Migration {
  override up(): void {
    this.addSql('alter table item add constraint item_abstract check (abstract is not null) not valid');
  }
}
class Validate extends OnlineMigration {
  override async up(): Promise<void> {
    await this.execute('alter table item validate constraint item_abstract');
    await this.execute('alter table item alter column abstract set not null');
    await this.createIndex('item_abstract_index', 'item (abstract)');
  }
}
const migrations: MigrationObject[] = [
  ...migrationList,
  { name: '2099-1-expand', class: Expand },
  { name: '2099-2-fill', class: Fill },
  { name: '2099-3-constrain', class: Constrain },
  { name: '2099-4-validate', class: Validate },
];

/** @returns whether no statement waited longer than `maxWaitMs` for the online migrations, and every row was rewritten */
export async function soakMigrating(databaseUrl: string, items: number, seed: number): Promise<boolean> {
  await sql(
    databaseUrl,
    "insert into prepa (nom, prix, description, is_published, created_at, updated_at) values ('P', 1, 'd', true, now(), now())",
  );
  await sql(
    databaseUrl,
    "insert into discipline (prepa_id, nom, description, created_at, updated_at) select id, 'D', 'd', now(), now() from prepa",
  );
  await sql(
    databaseUrl,
    `insert into item (discipline_id, kind, titre, numero_page, contenu, created_at, updated_at)
     select d.id, 'course', 'Leçon ' || g, g, '<p>Texte numéro ' || g || ' de la leçon, et ce qui suit.</p>', now(), now()
     from discipline d, generate_series(1, $1::int) g`,
    [items],
  );
  await sql(databaseUrl, 'analyze item');
  const online = await beside(databaseUrl, items, seed, () => migrateDatabase(databaseUrl, { migrations }));
  console.log(`${items} items rewritten online: ${told(online)}`);
  const [row] = await sql<{ left: number }>(databaseUrl, 'select count(*)::int as left from item where abstract is null');
  const whole = await beside(databaseUrl, items, seed, () =>
    sql(databaseUrl, 'alter table item add column whole text generated always as (left(contenu, 60)) stored'),
  );
  console.log(`the same in one statement:  ${told(whole)}`);
  return row?.left === 0 && Math.max(online.readMs, online.writeMs) < maxWaitMs;
}

interface Waits {
  seconds: number;
  reads: number;
  /** Longest wait of a read, in ms. */
  readMs: number;
  writes: number;
  writeMs: number;
}

const told = ({ seconds, reads, readMs, writes, writeMs }: Waits): string =>
  `${seconds.toFixed(1)} s, ${reads} reads, at most ${readMs.toFixed(0)} ms, ${writes} writes, at most ${writeMs.toFixed(0)} ms`;

/** Reads and writes single rows on separate connections while `work` runs. */
async function beside(databaseUrl: string, items: number, seed: number, work: () => Promise<unknown>): Promise<Waits> {
  let running = true;
  const random = seeded(seed);
  const lane = async (statement: string) => {
    const client = new pg.Client({ connectionString: databaseUrl });
    await client.connect();
    let [count, longest] = [0, 0];
    for (; running; count += 1) {
      const began = performance.now();
      await client.query(statement, [anyOf(items, random)]);
      longest = Math.max(longest, performance.now() - began);
    }
    await client.end();
    return { count, longest };
  };
  const reading = lane('select titre, contenu from item where id = $1');
  const writing = lane(`update item set titre = titre || '' where id = $1`);
  const began = performance.now();
  try {
    await work();
  } finally {
    running = false;
  }
  const seconds = (performance.now() - began) / 1000;
  const [read, written] = await Promise.all([reading, writing]);
  return { seconds, reads: read.count, readMs: read.longest, writes: written.count, writeMs: written.longest };
}

const anyOf = (items: number, random: Random): number => 1 + Math.floor(random() * items);
