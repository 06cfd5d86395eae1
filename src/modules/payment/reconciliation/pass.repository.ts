import type { EntityManager } from '@mikro-orm/postgresql';
import { namedStatement } from '../../../platform/database/named-statement.ts';

const record = namedStatement({
  name: 'payment.pass-record',
  text: `insert into reconciliation_pass (id, finished_at) values (1, $1)
         on conflict (id) do update set finished_at = excluded.finished_at`,
});

/** Writes down that a pass has come to its end, in whichever process. @param at when it did */
export async function recordPass(em: EntityManager, at: Date): Promise<void> {
  await record(em, [at]);
}

const last = namedStatement<{ finishedAt: Date }>({
  name: 'payment.pass-last',
  text: `select finished_at from reconciliation_pass`,
});

/** When a reconciliation last came to its end, in any process; null: never. */
export const lastPassAt = async (em: EntityManager): Promise<Date | null> => (await last(em, []))[0]?.finishedAt ?? null;
