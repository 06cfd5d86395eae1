import type { EntityManager } from '@mikro-orm/postgresql';
import { namedStatement } from '../database/named-statement.ts';

/** What visitors are told while the site is closed. */
export interface Maintenance {
  /** One sentence of the operator's; null: the house's own. */
  message: string | null;
  /** When it is to be over, as far as is known. It ends when the operator ends it. */
  until: Date | null;
  since: Date;
}

interface Stored {
  message: string | null;
  until: string | null;
}

const stored = namedStatement<{ value: Stored; at: Date }>({
  name: 'platform.maintenance',
  text: `select value, at from site_state where name = 'maintenance'`,
});

/** Null: the site is open. */
export async function readMaintenance(em: EntityManager): Promise<Maintenance | null> {
  const [row] = await stored(em, []);
  if (!row) return null;
  const { message, until } = row.value;
  return { message, until: until === null ? null : new Date(until), since: row.at };
}

/** Closes the site for visitors, on all machines: each process sees it within seconds. One that is closed already keeps its beginning. */
export async function beginMaintenance(em: EntityManager, { message, until, since }: Maintenance): Promise<void> {
  await em.execute(
    `insert into site_state (name, value, at) values ('maintenance', ?, ?) on conflict (name) do update set value = excluded.value`,
    [JSON.stringify({ message, until: until?.toISOString() ?? null }), since],
  );
}

/** @returns whether it was closed */
export async function endMaintenance(em: EntityManager): Promise<boolean> {
  const ended = await em.execute<object[]>(`delete from site_state where name = 'maintenance' returning name`);
  return ended.length > 0;
}
