import type { EntityManager } from '@mikro-orm/postgresql';
import { namedStatement } from '../../../platform/database/named-statement.ts';

const record = namedStatement({
  name: 'payment.pass-record',
  text: `insert into reconciliation_pass (id, finished_at) values (1, $1)
         on conflict (id) do update set finished_at = excluded.finished_at`,
});

/** Records a completed pass of any process. @param at when it ended */
export async function recordPass(em: EntityManager, at: Date): Promise<void> {
  await record(em, [at]);
}

const last = namedStatement<{ finishedAt: Date }>({
  name: 'payment.pass-last',
  text: `select finished_at from reconciliation_pass`,
});

/** Returns the end of the last completed pass of any process; null when there was none. */
export const lastPassAt = async (em: EntityManager): Promise<Date | null> => (await last(em, []))[0]?.finishedAt ?? null;
