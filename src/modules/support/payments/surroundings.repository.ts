import type { EntityManager } from '@mikro-orm/postgresql';
import { namedStatement } from '../../../platform/database/named-statement.ts';
import { type PaymentHealth, paymentHealthQuery } from '../../payment/index.ts';

/** What stands around the list of payments: what needs a person, and the prepas to choose between. */
interface Surroundings extends PaymentHealth {
  prepas: { id: number; nom: string }[];
}

/** Nobody looks through more of what needs a person one by one: one more stands for as many as there are. */
export const maxCounted = 100;
/** Prepas to choose between, at most; of more the page asks for a number, and offers these. */
export const maxPrepas = 100;

const surroundings = namedStatement<Surroundings>({
  name: 'support.payments-surroundings',
  text: `select health.*, coalesce((select json_agg(json_build_object('id', p.id, 'nom', p.nom) order by p.nom)
                                    from (select id, nom from prepa order by nom, id limit ${maxPrepas + 1}) p), '[]'::json) as prepas
         from (${paymentHealthQuery.text(maxCounted)}) health`,
});

export async function findSurroundings(em: EntityManager, now: Date): Promise<Surroundings> {
  const [row] = await surroundings(em, paymentHealthQuery.values(now));
  if (!row) throw new Error('an aggregate always answers one row');
  return row;
}
