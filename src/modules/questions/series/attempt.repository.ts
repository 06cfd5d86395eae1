import type { EntityManager } from '@mikro-orm/postgresql';
import { namedStatement } from '../../../platform/database/named-statement.ts';
import type { Given } from '../../../shared/questions/grade.ts';
import type { MarkingRule } from '../../../shared/questions/marking-rule.ts';
import type { QuestionKey } from '../../../shared/questions/question-keys.ts';
import type { SeriesMode } from '../../../shared/questions/series.ts';
import { shownTitle } from '../../content/index.ts';
import { accessCondition } from '../../enrolment/index.ts';
import { insertAnswers, type JudgedAnswer, letteredSql, sentAnswers } from '../answers/answer.repository.ts';

/** A question of an attempt. */
export interface AttemptQuestion {
  id: string;
  points: number;
  keyVersion: number;
  /** Its explanation names choices by their letters (`letteredSql`). */
  lettered: boolean;
  /** Null before the question is answered, also in a finished attempt, unless it was read to judge answers. */
  key: QuestionKey | null;
  answer: { given: Given; isRight: boolean } | null;
}

/** A learner's attempt at a series. */
export interface AttemptRow {
  id: string;
  mode: SeriesMode;
  asked: string[] | null;
  given: Record<string, Given>;
  startedAt: Date;
  endsAt: Date | null;
  finishedAt: Date | null;
  /** Whether the learner may read the series now. */
  access: boolean;
  itemId: number;
  itemVersion: number;
  titre: string;
  bareme: MarkingRule | null;
  contenu: string;
  disciplineId: number;
  disciplineNom: string;
  prepaId: number;
  prepaNom: string;
  /** Whether visitors may see the prepa's public page. */
  isPublished: boolean;
  /** In the order of the text. */
  questions: AttemptQuestion[];
}

/** SQL: a question that may be asked. */
const usable = 'q.item_id = i.id and q.usable and q.position is not null';

const attempt = namedStatement<AttemptRow>({
  name: 'questions.attempt',
  text: `select t.id, t.mode, t.asked, t.given, t.started_at, t.ends_at, t.finished_at, ${accessCondition('$1', 'd.prepa_id', '$2')} as access,
                i.id as item_id, i.version as item_version, ${shownTitle('i')} as titre, i.bareme, i.contenu, d.id as discipline_id, d.nom as discipline_nom,
                p.id as prepa_id, p.nom as prepa_nom, p.is_published,
                coalesce((select json_agg(json_build_object(
                            'id', q.id, 'points', q.points, 'keyVersion', q.key_version, 'lettered', ${letteredSql('q.key')},
                            'key', case when $4 or a.cle is not null then q.key end,
                            'answer', case when a.cle is not null then json_build_object('given', a.given, 'isRight', a.is_right) end) order by q.position)
                          from question q left join answer a on a.attempt_id = t.id and a.question_id = q.id
                          where ${usable} and (t.asked is null or jsonb_exists(t.asked, q.id))), '[]'::json) as questions
         from series_attempt t join item i on i.id = t.item_id join discipline d on d.id = i.discipline_id join prepa p on p.id = d.prepa_id
         where t.id = $3 and t.user_id = $1`,
});

/** Returns a learner's attempt; null when it is not theirs. @param judging whether to read the keys of all questions, to judge answers */
export const findAttempt = async (em: EntityManager, userId: string, now: Date, id: string, judging: boolean): Promise<AttemptRow | null> =>
  (await attempt(em, [userId, now, id, judging]))[0] ?? null;

/** A series before its start. */
export interface StartRow {
  access: boolean;
  titre: string;
  duree: number | null;
  bareme: MarkingRule | null;
  count: number;
  disciplineId: number;
  disciplineNom: string;
  prepaId: number;
  prepaNom: string;
  /** The learner's open attempt, with the number of its questions and of those answered. `ofErrors`: it asks only some of the series. */
  open: { id: string; mode: SeriesMode; isOver: boolean; ofErrors: boolean; count: number; answered: number } | null;
}

const start = namedStatement<StartRow>({
  name: 'questions.series',
  text: `select ${accessCondition('$1', 'd.prepa_id', '$2')} as access, ${shownTitle('i')} as titre, i.duree, i.bareme,
                (select count(*)::int from question q where ${usable}) as count,
                d.id as discipline_id, d.nom as discipline_nom, p.id as prepa_id, p.nom as prepa_nom,
                (select json_build_object('id', t.id, 'mode', t.mode, 'isOver', coalesce(t.ends_at <= $2, false), 'ofErrors', t.asked is not null,
                          'count', (select count(*) from question q where ${usable} and (t.asked is null or jsonb_exists(t.asked, q.id))),
                          'answered', (select count(*) from question q where ${usable} and (jsonb_exists(t.given, q.id)
                                         or exists (select from answer a where a.attempt_id = t.id and a.question_id = q.id))))
                 from series_attempt t where t.user_id = $1 and t.item_id = i.id and t.finished_at is null) as open
         from item i join discipline d on d.id = i.discipline_id join prepa p on p.id = d.prepa_id
         where i.id = $3 and i.kind = 'quiz'`,
});

/** Returns a series for its start; null when there is no such series. */
export const findSeries = async (em: EntityManager, userId: string, now: Date, itemId: number): Promise<StartRow | null> =>
  (await start(em, [userId, now, itemId]))[0] ?? null;

// The update changes nothing: it makes a second request wait for the first one's row, and returns it.
const opening = namedStatement<{ id: string; isOther: boolean }>({
  name: 'questions.begin',
  text: `insert into series_attempt (id, user_id, item_id, mode, asked, started_at, ends_at)
         select $4::uuid, $1, i.id, $5, $6::jsonb, $2::timestamptz, case when $5 = 'exam' and $6::jsonb is null then $2::timestamptz + make_interval(mins => i.duree) end
         from item i join discipline d on d.id = i.discipline_id where i.id = $3 and i.kind = 'quiz' and ${accessCondition('$1', 'd.prepa_id', '$2')}
         on conflict (user_id, item_id) where finished_at is null do update set mode = series_attempt.mode
         returning id, id <> $4::uuid and (mode <> $5 or asked is distinct from $6::jsonb) as is_other`,
});

/**
 * Begins an attempt; a second request gets the open one.
 * @returns null without access; `isOther`: the open attempt is in another mode or asks other questions
 * @param asked ids of the questions; null: all
 */
export const beginAttempt = async (
  em: EntityManager,
  {
    userId,
    now,
    itemId,
    id,
    mode,
    asked,
  }: { userId: string; now: Date; itemId: number; id: string; mode: SeriesMode; asked: string[] | null },
): Promise<{ id: string; isOther: boolean } | null> =>
  (await opening(em, [userId, now, itemId, id, mode, asked && JSON.stringify(asked)]))[0] ?? null;

const keeping = namedStatement<{ id: string }>({
  name: 'questions.keep-given',
  text: `update series_attempt t set given = t.given || jsonb_build_object($4::text, $5::jsonb)
         where t.id = $3 and t.user_id = $1 and t.mode = 'exam' and t.finished_at is null and (t.ends_at is null or t.ends_at > $2)
         returning t.id`,
});

/** Keeps an answer of 'Comme à l'examen'. @returns false, with nothing kept, after the end of the attempt */
export const keepGiven = async (em: EntityManager, userId: string, now: Date, id: string, questionId: string, given: Given) =>
  (await keeping(em, [userId, now, id, questionId, JSON.stringify(given)])).length > 0;

const closing = namedStatement<{ id: string }>({
  name: 'questions.finish-attempt',
  text: `with closed as (update series_attempt set finished_at = $3 where id = $2 and user_id = $1 and finished_at is null and given = $4::jsonb returning id),
              sent as (${sentAnswers('$5')}), added as (${insertAnswers('$1', '(select sent.* from sent, closed) kept')})
         select id from closed`,
});

/** Finishes an attempt and stores its kept answers. @returns false, with nothing stored, when it was finished or given an answer meanwhile */
export const closeAttempt = async (em: EntityManager, userId: string, row: AttemptRow, at: Date, answers: readonly JudgedAnswer[]) =>
  (await closing(em, [userId, row.id, at, JSON.stringify(row.given), JSON.stringify(answers)])).length > 0;

/**
 * SQL: marks series as finished, with the time of the last first answer, when the learner has answered each of their questions. Stores the
 * number of right first answers to the others with each question (`rest`). The result depends on the answers only, not on their order of
 * arrival. The parameters are SQL; `now` is the time when no answer has one any more.
 */
const finishing = (learner: string, items: string, now: string): string => `
  with own as materialized (
    select u.learner, q.item_id, q.id, s.key_version, s.first_right, s.rest,
           (select min(a.answered_at) from answer a where a.user_id = u.learner and a.question_id = q.id and a.key_version = q.key_version) as first_at
    from (select ${learner}::uuid as learner) u cross join question q join item i on i.id = q.item_id and i.kind = 'quiz'
         left join question_state s on s.question_id = q.id and s.key_version = q.key_version and s.user_id = u.learner
    where q.item_id = any(${items}) and q.usable and q.position is not null),
  done as (
    select learner, item_id, count(*) filter (where first_right) as total, max(first_at) as at
    from own group by learner, item_id having count(*) = count(key_version)),
  rated as (
    update question_state s set rest = done.total - own.first_right::int from own join done using (item_id)
    where s.user_id = own.learner and s.question_id = own.id and s.key_version = own.key_version
          and own.rest is distinct from done.total - own.first_right::int)
  insert into item_reading as kept (user_id, item_id, read_at, finished_at)
  select learner, item_id, coalesce(at, now), coalesce(at, now) from done, (select ${now}::timestamptz as now) n order by item_id
  on conflict (user_id, item_id) do update set finished_at = least(kept.finished_at, excluded.finished_at)`;

const finishingOne = namedStatement({ name: 'questions.finish-series', text: finishing('$1', 'array[$2::int]', '$3') });

/** Marks a series as finished when the learner has answered each of its questions. */
export const finishSeries = (em: EntityManager, userId: string, now: Date, itemId: number) => finishingOne(em, [userId, itemId, now]);

/** Marks those of the items that are series as finished, in a transaction. */
export const finishAllSeries = (tx: EntityManager, userId: string, now: Date, itemIds: readonly number[]) =>
  tx.execute(finishing('?', '?::int[]', '?'), [userId, `{${itemIds}}`, now]);
