import type { EntityManager } from '@mikro-orm/postgresql';
import { namedStatement } from '../../../platform/database/named-statement.ts';
import type { DisciplineRow, PrepaRow } from '../../catalogue/index.ts';
import type { EnrolmentRow } from '../../enrolment/index.ts';
import { contentsOf, type PrepaContents } from '../contents/contents.repository.ts';

const disciplinesOf = (
  prepaId: string,
) => `coalesce((select json_agg(json_build_object('id', d.id, 'nom', d.nom, 'description', d.description,
                                                            'image', d.image, 'prepaId', d.prepa_id) order by d.id)
                          from (select * from discipline where prepa_id = ${prepaId} order by id limit 200) d), '[]'::json)`;
const disciplines = disciplinesOf('e.prepa_id');
const columns = 'e.id, e.prepa_id, coalesce(p.nom, e.prepa_nom) as prepa_nom, e.statut, e.date_inscription, e.date_expiration';

/** An enrolment with its prepa's disciplines; null where they were not asked for. */
export type EnrolmentWithDisciplines = EnrolmentRow & { disciplines: DisciplineRow[] | null };

const oneOf = namedStatement<EnrolmentWithDisciplines>({
  name: 'enrolment.one-with-disciplines',
  text: `select ${columns}, ${disciplines} as disciplines
         from enrolment e left join prepa p on p.id = e.prepa_id where e.user_id = $1 and e.prepa_id = $2`,
});

const activeOf = namedStatement<EnrolmentWithDisciplines>({
  name: 'enrolment.active-with-disciplines',
  text: `select ${columns}, case when e.prepa_id = $2 then ${disciplines} end as disciplines
         from enrolment e join prepa p on p.id = e.prepa_id
         where e.user_id = $1 and e.statut = 'active' and e.date_expiration > $3 order by e.date_expiration desc limit 200`,
});

const trial = namedStatement<PrepaRow & PrepaContents & { disciplines: DisciplineRow[] }>({
  name: 'portal.trial-of-prepa',
  text: `select p.id, p.nom, p.description, p.prix, p.image, p.is_published, p.auteur_id as auteur, ${disciplinesOf('p.id')} as disciplines, c.*
         from prepa p cross join lateral (${contentsOf('p.id')}) c where p.id = $1`,
});

/** A prepa with its disciplines, and what it holds. */
export const findTrial = async (em: EntityManager, prepaId: number) => (await trial(em, [prepaId]))[0] ?? null;

/** A learner's enrolment in a prepa, whatever its state, with the prepa's disciplines. */
export const findEnrolmentWithDisciplines = async (em: EntityManager, userId: string, prepaId: number) =>
  (await oneOf(em, [userId, prepaId]))[0] ?? null;

/** What a learner may study now, the longest first; with the disciplines of one prepa. */
export const listActiveWithDisciplines = (em: EntityManager, userId: string, prepaId: number | null, now: Date) =>
  activeOf(em, [userId, prepaId, now]);
