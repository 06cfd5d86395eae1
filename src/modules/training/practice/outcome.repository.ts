import type { EntityManager } from '@mikro-orm/postgresql';
import { namedStatement } from '../../../platform/database/named-statement.ts';
import type { OutcomeEntry, OutcomeMark } from '../../../shared/study/outcome.ts';
import { kindOrder, outlineLimit, shownTitle, shownToLearners } from '../../content/index.ts';
import { accessCondition } from '../../enrolment/index.ts';

interface OutcomeRow {
  /** Whether the learner may read the discipline now. */
  access: boolean;
  prepaNom: string;
  disciplineNom: string;
  /** Items in the order of the contents list. */
  outline: OutcomeEntry[];
  /** The mark given with the item's last verdict. */
  mark: OutcomeMark | null;
}

const outcome = namedStatement<OutcomeRow>({
  name: 'content.outcome',
  text: `select ${accessCondition('$1', 'd.prepa_id', '$2')} as access, p.nom as prepa_nom, d.nom as discipline_nom,
                coalesce((select json_agg(json_build_object('id', o.id, 'kind', o.kind, 'titre', o.titre, 'annee', o.annee, 'finished', o.finished,
                                                            'verdict', o.verdict) order by o.rank, o.numero_page)
                          from (select i.id, i.kind, ${shownTitle('i')} as titre, i.annee, i.numero_page, ${kindOrder} as rank, r.finished_at is not null as finished,
                                       case when i.corrige is not null then t.verdict end as verdict
                                from item i left join item_reading r on r.user_id = $1 and r.item_id = i.id
                                     left join practice t on t.user_id = $1 and t.item_id = i.id
                                where i.discipline_id = d.id and ${shownToLearners('i')} order by rank, numero_page limit ${outlineLimit}) o), '[]'::json) as outline,
                (select json_build_object('points', m.points, 'possible', m.possible, 'seconds', m.seconds)
                 from practice t join practice_mark m on m.user_id = t.user_id and m.item_id = t.item_id and m.marked_at > t.marked_at - interval '1 minute'
                 where t.user_id = $1 and t.item_id = $5 order by m.marked_at desc, m.cle limit 1) as mark
         from discipline d join prepa p on p.id = d.prepa_id
         where d.id = $4 and d.prepa_id = $3`,
});

interface OutcomeAddress {
  userId: string;
  now: Date;
  prepaId: number;
  disciplineId: number;
  itemId: number;
}

/** Returns a learner's progress in a discipline; null when the discipline does not belong to the prepa. */
export const findOutcome = async (
  em: EntityManager,
  { userId, now, prepaId, disciplineId, itemId }: OutcomeAddress,
): Promise<OutcomeRow | null> => (await outcome(em, [userId, now, prepaId, disciplineId, itemId]))[0] ?? null;
