import type { EntityManager } from '@mikro-orm/postgresql';
import { namedStatement } from '../../platform/named-statement.ts';
import type { PrepaRow } from '../catalogue/index.ts';
import type { EnrolmentStatus } from './enrolment.entity.ts';
import type { EnrolmentRow } from './enrolment.repository.ts';

/** A published prepa (`id` is null without), a learner's enrolment (`enrolment_id` is null without), or both of one prepa. */
interface CatalogueRow extends Record<string, unknown> {
  id: number | null;
  enrolment_id: number | null;
  prepa_id: number | null;
  prepa_nom: string;
  statut: EnrolmentStatus;
  date_inscription: Date;
  date_expiration: Date;
}

const catalogueOf = namedStatement<CatalogueRow>({
  name: 'enrolment.catalogue-of-learner',
  text: `select p.id, p.nom, p.description, p.prix, p.image, p.is_published, p.auteur_id as auteur,
                e.id as enrolment_id, e.prepa_id, e.prepa_nom, e.statut, e.date_inscription, e.date_expiration
         from (select * from prepa where is_published order by id limit 200) p
         full join (select e.id, e.prepa_id, coalesce(q.nom, e.prepa_nom) as prepa_nom, e.statut, e.date_inscription, e.date_expiration
                    from enrolment e left join prepa q on q.id = e.prepa_id
                    where e.user_id = $1 order by (e.statut = 'active') desc, e.date_expiration desc limit 200) e on e.prepa_id = p.id
         order by p.id, (e.statut = 'active') desc, e.date_expiration desc`,
});

/**
 * The published prepas and a learner's enrolments: one statement for both, since a page has four in all. Prepas in the order of their creation,
 * enrolments the active ones first, then those that end last.
 */
export async function findCatalogueOf(em: EntityManager, userId: string): Promise<{ prepas: PrepaRow[]; enrolments: EnrolmentRow[] }> {
  const rows = await catalogueOf(em, [userId]);
  const prepas = rows.filter((row) => row.id !== null) as unknown as PrepaRow[];
  const enrolments = rows.flatMap(({ enrolment_id: id, prepa_id, prepa_nom, statut, date_inscription, date_expiration }) =>
    id === null ? [] : [{ id, prepa_id, prepa_nom, statut, date_inscription, date_expiration }],
  );
  const rank = (enrolment: EnrolmentRow) => (enrolment.statut === 'active' ? 0 : 1);
  enrolments.sort((one, other) => rank(one) - rank(other) || Number(other.date_expiration) - Number(one.date_expiration));
  return { prepas, enrolments };
}
