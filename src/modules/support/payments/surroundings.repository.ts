import type { EntityManager } from '@mikro-orm/postgresql';
import { namedStatement } from '../../../platform/database/named-statement.ts';
import { type PaymentHealth, paymentHealthQuery } from '../../payment/index.ts';

/** The data around the list of payments: alerts, and prepas to choose from. */
interface Surroundings extends PaymentHealth {
  prepas: { id: number; nom: string }[];
}

/** Maximum count of an alert, since longer lists are not read entry by entry; the limit + 1 means 'more'. */
export const maxCounted = 100;
/** Maximum number of prepas in the select box. With more prepas, the form has a number field that suggests these. */
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
