import type { EntityManager } from '@mikro-orm/postgresql';
import { namedStatement } from '../../../platform/database/named-statement.ts';
import type { PlacedItem } from '../../../shared/study/place.ts';
import { shownTitle } from '../../content/index.ts';
import { accessCondition } from '../../enrolment/index.ts';
import { sectionSql } from '../answers/answer.repository.ts';

/** Most errors of the list. */
export const maxErrors = 200;

/** A question that a learner answered wrong, and not yet right on two different days since then. */
export interface ErrorRow extends PlacedItem {
  questionId: string;
  /** The question's part of the text, without its key. */
  section: string;
  wrongAt: Date;
  /** Days with a right answer since then: 0 or 1. */
  rightDays: number;
}

/** SQL: whether the question of state `s` and row `q` is an error that may be asked. */
const isError = 's.wrong_at is not null and s.right_days < 2 and q.usable and q.position is not null';

/** Returns SQL of the number of a learner's errors that may be answered now, at most 100. Both parameters are SQL. */
export const errorCount = (learner: string, now: string): string =>
  `(select count(*)::int from (
      select from (select question_id, key_version, wrong_at, right_days from question_state
                   where user_id = ${learner} and wrong_at is not null and right_days < 2 limit 1000) s
                  cross join lateral (select q.usable, q.position, q.item_id from question q where q.id = s.question_id and q.key_version = s.key_version limit 1) q
                  join item i on i.id = q.item_id join discipline d on d.id = i.discipline_id
      where ${isError} and ${accessCondition(learner, 'd.prepa_id', now)}
      limit 100) as wrong)`;

const errors = namedStatement<ErrorRow>({
  name: 'questions.errors',
  // Materialized, so that access is checked once per prepa and not once per question.
  text: `with open as materialized (
           select d.id, d.nom, p.id as prepa_id, p.nom as prepa_nom from discipline d join prepa p on p.id = d.prepa_id
           where ${accessCondition('$1', 'd.prepa_id', '$2')})
         select q.id as question_id, ${sectionSql('i.contenu', 'q.id')} as section, s.wrong_at, s.right_days, i.id, i.kind, ${shownTitle('i')} as titre, i.annee,
                d.prepa_id, d.prepa_nom, d.id as discipline_id, d.nom as discipline_nom
         from question_state s join question q on q.id = s.question_id and q.key_version = s.key_version
              join item i on i.id = q.item_id join open d on d.id = i.discipline_id
         where s.user_id = $1 and ${isError}
         order by s.wrong_at, q.id limit $3`,
});

/** Returns a learner's errors that may be answered now, those wrong most recently last. @param limit most rows, up to `maxErrors` */
export const listErrors = (em: EntityManager, userId: string, now: Date, limit = maxErrors): Promise<ErrorRow[]> =>
  errors(em, [userId, now, limit]);
