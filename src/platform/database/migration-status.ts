import type { MikroORM } from '@mikro-orm/postgresql';

/**
 * Returns the applied migrations and the names of the pending ones, oldest first. Writes nothing: the migrator would create a missing
 * database or table.
 */
export async function migrationStatus(orm: MikroORM) {
  const known = (orm.config.get('migrations').migrationsList ?? []).map(({ name }) => name);
  const pool = await orm.em.getConnection().getNativeClient();
  const { rows } = await pool
    .query<{ name: string; at: string }>('select name, executed_at as at from migration order by id')
    .catch((error: { code?: string }) => {
      if (error.code === '42P01') return { rows: [] };
      throw error;
    });
  const applied = rows.map(({ name, at }) => ({ name, at: new Date(at) }));
  const names = new Set(applied.map(({ name }) => name));
  return { applied, pending: known.filter((name) => !names.has(name)) };
}
