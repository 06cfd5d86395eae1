import type { EntityManager } from '@mikro-orm/postgresql';
import { namedStatement } from '../../../platform/database/named-statement.ts';
import type { Studied } from '../../../shared/revision/learner-memory.ts';
import { kindOrder } from '../../content/index.ts';
import { accessCondition } from '../../enrolment/index.ts';
import { markedExercisesSql } from '../../training/index.ts';

/** Most questions of a prepa that a session is planned from. */
const maxQuestions = 3_000;

const studied = namedStatement<Studied>({
  name: 'revision.questions',
  text: `select coalesce((select json_agg(o) from (
         select q.id, q.discipline_id as discipline, q.item_id as item, q.kind,
                (select json_agg(json_build_array(a.cle, (extract(epoch from a.answered_at) * 1000)::bigint, a.is_right, a.seconds))
                 from answer a where a.user_id = $1 and a.question_id = q.id and a.key_version = q.key_version) as answers
         from (select q.id, q.item_id, q.key_version, q.kind, q.position, i.discipline_id, i.numero_page, ${kindOrder.replaceAll('kind', 'i.kind')} as rank
               from discipline d join item i on i.discipline_id = d.id join question q on q.item_id = i.id
               where d.prepa_id = $3 and ${accessCondition('$1', 'd.prepa_id', '$2')} and q.usable and q.position is not null
               order by i.discipline_id, rank, i.numero_page, q.position limit ${maxQuestions}) q
         order by q.discipline_id, q.rank, q.numero_page, q.position) o), '[]') as questions,
         coalesce((select json_agg(e) from (${markedExercisesSql('$1', '$3')}) e where ${accessCondition('$1', '$3', '$2')}), '[]') as exercises`,
});

/** Returns the questions of a prepa in the order of its contents, and the marked exercises; none without access. */
export const readStudied = async (em: EntityManager, userId: string, now: Date, prepaId: number): Promise<Studied> =>
  (await studied(em, [userId, now, prepaId]))[0] ?? { questions: [], exercises: [] };
