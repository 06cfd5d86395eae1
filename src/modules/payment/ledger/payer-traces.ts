import type { EntityManager } from '@mikro-orm/postgresql';
import { allowErasing } from '../../../platform/database/append-only.ts';
import type { Pruning } from '../../../platform/pruning/pruning.ts';

/** Payer's data in payments. Amounts, states, references and dates belong to the books, and stay. */
const traces = [
  {
    table: 'payment',
    owner: '',
    set: 'payer_phone_last = null, refusal = null',
    where: '(t.payer_phone_last is not null or t.refusal is not null)',
  },
  {
    // The provider's raw answers. Their meaning and the amounts stay.
    table: 'payment_event',
    owner: 'join payment p on p.id = t.payment_id',
    set: `detail = (select jsonb_object_agg(key, value) from jsonb_each(detail) where key in ('kind', 'amount', 'currency', 'returned'))`,
    where: `t.type = 'verification' and jsonb_exists_any(t.detail, array['answer', 'cause', 'reason'])`,
  },
  {
    table: 'payment_notification',
    owner: 'join payment p on p.id = t.payment_id',
    set: `body = '', headers = null`,
    where: `(t.body <> '' or t.headers is not null)`,
  },
] as const;

type Trace = (typeof traces)[number];

const found = ({ table, owner, where }: Trace, users: string): string =>
  `from ${table} t ${owner} where ${owner ? 'p' : 't'}.user_id in (${users}) and ${where}`;

const removal = (trace: Trace, users: string, limit: string): string =>
  `update ${trace.table} set ${trace.set} where id in (select t.id ${found(trace, users)} ${limit})`;

/** Removes one learner's payer data, in the transaction that erases the learner. */
export async function removePayerTraces(tx: EntityManager, userId: string): Promise<void> {
  for (const trace of traces) await tx.execute(removal(trace, '?', ''), [userId]);
}

const erased = 'select id from app_user where erased_at is not null';
const batchSize = 1_000;

/** Removes data that providers have sent since about erased learners' payments: a late answer, a repeated notification. */
export const payerTracePruning: Pruning = {
  name: 'payer_traces',
  label: 'traces de candidats effacés dans les réponses des prestataires',
  async count({ em }) {
    const counts = traces.map((trace) => `(select count(*) ${found(trace, erased)})`);
    const [row] = await em.execute<{ count: number }[]>(`select (${counts.join(' + ')})::int as count`);
    return row?.count ?? 0;
  },
  async *remove({ batch }) {
    for (const trace of traces) {
      let removed = batchSize;
      while (removed === batchSize) {
        removed = await batch(async (tx) => {
          await allowErasing(tx);
          const statement = removal(trace, erased, `limit ${batchSize} for update of t skip locked`);
          return (await tx.execute<{ affectedRows: number }>(statement, [], 'run')).affectedRows;
        });
        yield removed;
      }
    }
  },
};
