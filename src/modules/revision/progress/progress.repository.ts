import type { EntityManager } from '@mikro-orm/postgresql';
import { namedStatement } from '../../../platform/database/named-statement.ts';
import { kindOrder, outlineLimit, shownTitle } from '../../content/index.ts';

interface ProgressRow {
  /** The items with questions, in the order of the contents. */
  items: { id: number; titre: string; discipline: number; disciplineNom: string }[];
  /** Days of study, oldest first; `seconds` of the answers that were timed. */
  days: { day: string; answers: number; seconds: number }[];
}

/** Days that the calendar can show, and on which a run of days can rest. */
const shownDays = 366;

const progress = namedStatement<ProgressRow>({
  name: 'revision.progress',
  text: `select coalesce((select json_agg(json_build_object('id', o.id, 'titre', o.titre, 'discipline', o.discipline_id, 'disciplineNom', o.nom)
                                          order by o.discipline_id, o.rank, o.numero_page)
                          from (select i.id, ${shownTitle('i')} as titre, i.discipline_id, d.nom, i.numero_page, ${kindOrder.replaceAll('kind', 'i.kind')} as rank
                                from discipline d join item i on i.discipline_id = d.id
                                where d.prepa_id = $2 and exists (select from question q where q.item_id = i.id and q.usable and q.position is not null)
                                order by i.discipline_id, rank, i.numero_page limit ${outlineLimit}) o), '[]') as items,
                coalesce((select json_agg(json_build_object('day', g.day::text, 'answers', g.answers, 'seconds', g.seconds) order by g.day)
                          from study_day g where g.user_id = $1 and g.day > $3::date - ${shownDays}), '[]') as days`,
});

/** Returns the items of a prepa that have questions, and the learner's days of study in the year until `today`. */
export const readProgress = async (em: EntityManager, userId: string, prepaId: number, today: string): Promise<ProgressRow> =>
  (await progress(em, [userId, prepaId, today]))[0] ?? { items: [], days: [] };
