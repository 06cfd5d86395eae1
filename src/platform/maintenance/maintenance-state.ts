import type { EntityManager } from '@mikro-orm/postgresql';
import { namedStatement } from '../database/named-statement.ts';

/** The maintenance notice for visitors while the site is closed. */
export interface Maintenance {
  /** A sentence by the operator; null: the default text. */
  message: string | null;
  /** Expected end, if known. The maintenance really ends when the operator ends it. */
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

/** Returns the current maintenance; null if the site is open. */
export async function readMaintenance(em: EntityManager): Promise<Maintenance | null> {
  const [row] = await stored(em, []);
  if (!row) return null;
  const { message, until } = row.value;
  return { message, until: until === null ? null : new Date(until), since: row.at };
}

/** Closes the site for visitors, on all machines, within seconds. If it is already closed, the start time stays. */
export async function beginMaintenance(em: EntityManager, { message, until, since }: Maintenance): Promise<void> {
  await em.execute(
    `insert into site_state (name, value, at) values ('maintenance', ?, ?) on conflict (name) do update set value = excluded.value`,
    [JSON.stringify({ message, until: until?.toISOString() ?? null }), since],
  );
}

/** Opens the site. @returns whether it was closed */
export async function endMaintenance(em: EntityManager): Promise<boolean> {
  const ended = await em.execute<object[]>(`delete from site_state where name = 'maintenance' returning name`);
  return ended.length > 0;
}
