import { type Check, fault, good } from '../check.ts';

/** PostgreSQL extensions used by the searches. */
const needed = ['unaccent', 'pg_trgm'];

export const extensions: Check = {
  name: 'Extensions de PostgreSQL',
  async look({ kernel: { orm } }) {
    const missing = await orm.em.getConnection().execute<{ name: string; available: boolean }[]>(
      `select name, exists (select from pg_available_extensions a where a.name = needed.name) as available
         from unnest(string_to_array(?, ',')) as needed(name) where not exists (select from pg_extension where extname = needed.name)`,
      [needed.join(',')],
    );
    if (missing.length === 0) return good(needed.join(', '));
    const names = missing.map(({ name }) => name);
    const install = missing.every(({ available }) => available) ? '' : 'installez le paquet postgresql-contrib, puis, ';
    return fault(
      `${names.join(' et ')} manque, sans quoi rien ne se cherche`,
      `${install}en administrateur de PostgreSQL, ${names.map((name) => `« create extension ${name} »`).join(' et ')} dans la base`,
    );
  },
};
