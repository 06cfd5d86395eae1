import { once } from 'node:events';
import { finished } from 'node:stream/promises';
import pg from 'pg';
import { type CopyStreamQuery, from } from 'pg-copy-streams';
import { refused } from './backup-errors.ts';
import type { Manifest } from './manifest.ts';
import { copyTarget, listTables } from './tables.ts';

const ours = (oid: string) => `${oid} in (select oid from pg_class where relkind = 'r' and relnamespace = current_schema()::regnamespace)`;
/** SQL that lists objects with the statements that drop and re-create them; PostgreSQL itself writes the definitions. */
const foreignKeys = `
  select format('alter table %s drop constraint %I', conrelid::regclass, conname) as drop,
         format('alter table %s add constraint %I %s', conrelid::regclass, conname, pg_get_constraintdef(oid)) as create
  from pg_constraint where contype = 'f' and conparentid = 0 and ${ours('conrelid')} order by conrelid, conname`;
const plainIndexes = `
  select format('drop index %s', indexrelid::regclass) as drop, pg_get_indexdef(indexrelid) as create
  from pg_index where ${ours('indrelid')} and not exists (select from pg_constraint where conindid = indexrelid) order by indrelid, indexrelid`;

/**
 * Fills migrated tables with a backup's rows, inside the caller's transaction. Triggers are disabled, since their effects are in the
 * backup. Foreign keys and indexes are dropped first and re-created at the end, which still checks every row and is several times faster.
 */
export async function openLoad(client: pg.Client, { tables, sequences }: Manifest) {
  const byName = new Map(tables.map((table) => [table.name, table]));
  await requireSameTables(client, tables);
  const names = tables.map(({ name }) => pg.escapeIdentifier(name));
  const triggers = (change: 'disable' | 'enable') =>
    client.query(names.map((name) => `alter table ${name} ${change} trigger user`).join('; '));
  const removed: string[] = [];
  await triggers('disable');
  await client.query(`truncate ${names.join(', ')}`);
  for (const query of [foreignKeys, plainIndexes]) {
    const { rows } = await client.query<{ drop: string; create: string }>(query);
    for (const { drop, create } of rows) {
      await client.query(drop);
      removed.unshift(create);
    }
  }
  let open: { table: string; copy: CopyStreamQuery; ended: Promise<void> } | undefined;
  const endCopy = async () => {
    open?.copy.end();
    await open?.ended;
    open = undefined;
  };

  return {
    async add(table: string, lines: Buffer): Promise<void> {
      if (open?.table !== table) {
        await endCopy();
        const entry = byName.get(table);
        if (!entry) throw refused(`La table ${table} n'est pas connue.`);
        const copy = client.query(from(`copy ${copyTarget(entry)} from stdin`));
        const ended = finished(copy);
        ended.catch(() => {});
        open = { table, copy, ended };
      }
      // Waits until the stream accepts more, or PostgreSQL reports an error in these rows.
      if (!open.copy.write(lines)) await Promise.race([once(open.copy, 'drain'), open.ended]);
    },
    async end(): Promise<void> {
      await endCopy();
      for (const { name, value, called } of sequences)
        await client.query('select setval(quote_ident($1)::regclass, $2::bigint, $3)', [name, value, called]);
      for (const statement of removed) await client.query(statement);
      await triggers('enable');
    },
  };
}

/** Throws if the tables differ from the backup's, which happens only if they were changed by hand. */
async function requireSameTables(client: pg.Client, tables: Manifest['tables']): Promise<void> {
  const expected = new Map(tables.map(({ name, columns }) => [name, columns]));
  for (const { name, columns } of await listTables(client)) {
    const written = expected.get(name);
    const sorted = (list: typeof columns) => JSON.stringify(list.map((column) => `${column.name} ${column.type}`).sort());
    if (!written || sorted(written) !== sorted(columns)) throw refused(`La table ${name} n'a pas les mêmes colonnes dans la sauvegarde.`);
    expected.delete(name);
  }
  for (const name of expected.keys()) throw refused(`La table ${name} de la sauvegarde n'est faite par aucune migration.`);
}
