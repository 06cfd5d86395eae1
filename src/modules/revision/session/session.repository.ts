import type { EntityManager } from '@mikro-orm/postgresql';
import { namedStatement } from '../../../platform/database/named-statement.ts';
import type { PlannedQuestion } from '../../../shared/recall/plan.ts';
import type { ShownSession } from '../../../shared/revision/session-page.ts';
import { shownTitle } from '../../content/index.ts';
import { accessCondition } from '../../enrolment/index.ts';
import { letteredSql, sectionSql } from '../../questions/index.ts';
import { getsWeeklyLetter } from '../letters/letter-choice.repository.ts';
import { answerKeySql, markedInSession } from '../plan/plan.repository.ts';
import { reminderHourOf } from '../push/push.repository.ts';

/** A session as it is stored; its questions are in no particular order. */
export interface SessionRow extends ShownSession {
  day: string;
  part: number;
  finishedAt: Date | null;
  /** Whether the learner may read the prepa now. */
  access: boolean;
  /** Whether visitors may see the prepa's public page. */
  isPublished: boolean;
  /** Whether the learner has finished a session before this one. */
  hasFinishedBefore: boolean;
  /** Hour at which the learner is reminded, in Africa/Douala; null without reminders. */
  reminderHour: number | null;
  /** Whether the learner gets the weekly letter. */
  weeklyLetter: boolean;
  /** Days of the last months on which the learner studied; empty before the session is finished. */
  studied: string[];
}

/** Days before a session in which a run of days is looked for. */
const streakDays = 366;

const session = namedStatement<SessionRow>({
  name: 'revision.session',
  text: `select s.id, s.day::text as day, s.part, s.asked, s.started_at, s.finished_at, ${accessCondition('$1', 'p.id', '$2')} as access,
                p.id as prepa_id, p.nom as prepa_nom, p.is_published,
                exists (select from daily_session b where b.user_id = $1 and b.finished_at < s.finished_at) as has_finished_before, ${reminderHourOf('$1')} as reminder_hour, ${getsWeeklyLetter('$1')} as weekly_letter,
                coalesce((select json_agg(g.day::text) from study_day g
                          where s.finished_at is not null and g.user_id = $1 and g.day > s.day - ${streakDays}), '[]') as studied,
                coalesce((select json_agg(json_build_object(
                            'id', q.id, 'keyVersion', q.key_version, 'itemVersion', i.version, 'points', q.points,
                            'section', ${sectionSql('i.contenu', 'q.id')}, 'lettered', ${letteredSql('q.key')}, 'key', case when $4 or a.cle is not null then q.key end,
                            'answer', case when a.cle is not null then json_build_object('given', a.given, 'isRight', a.is_right) end,
                            'itemId', i.id, 'itemKind', i.kind, 'itemTitre', ${shownTitle('i')}, 'disciplineId', d.id, 'disciplineNom', d.nom))
                          from jsonb_to_recordset(s.asked) as w(id text)
                               join question q on q.id = w.id and q.usable and q.position is not null
                               join item i on i.id = q.item_id join discipline d on d.id = i.discipline_id and d.prepa_id = s.prepa_id
                               left join answer a on a.user_id = $1 and a.cle = ${answerKeySql('s', 'q')} and a.question_id = q.id), '[]'::json) as questions,
                (select json_build_object('id', i.id, 'kind', i.kind, 'titre', ${shownTitle('i')}, 'disciplineId', d.id, 'disciplineNom', d.nom,
                                          'verdict', (select t.verdict from practice t where ${markedInSession('t', '$1', 'i.id', 's')}), 'passed', coalesce(w.passed, false))
                 from jsonb_to_recordset(s.asked) as w(item int, passed boolean)
                      join item i on i.id = w.item and i.corrige is not null join discipline d on d.id = i.discipline_id and d.prepa_id = s.prepa_id
                 limit 1) as exercise
         from daily_session s join prepa p on p.id = s.prepa_id
         where s.id = $3 and s.user_id = $1`,
});

/** Returns a learner's session; null when it is not theirs. @param judging whether to read the keys of all questions, to judge an answer */
export const findSession = async (em: EntityManager, userId: string, now: Date, id: string, judging = false): Promise<SessionRow | null> =>
  (await session(em, [userId, now, id, judging]))[0] ?? null;

// The update changes nothing: it makes a second request wait for the first one's row, and returns it.
const beginning = namedStatement<{ id: string }>({
  name: 'revision.begin-session',
  text: `insert into daily_session (id, user_id, prepa_id, day, part, asked, started_at)
         select $4::uuid, $1::uuid, $3::int, $5::date, $6::int, $7::jsonb, $2::timestamptz where ${accessCondition('$1', '$3', '$2')}
         on conflict (user_id, day, prepa_id, part) do update set part = daily_session.part returning id`,
});

/** Stores a planned session; a second request gets the first one's. @returns its id; null without access */
export const beginSession = async (
  em: EntityManager,
  {
    userId,
    now,
    prepaId,
    id,
    day,
    part,
    asked,
  }: { userId: string; now: Date; prepaId: number; id: string; day: string; part: number; asked: PlannedQuestion[] },
): Promise<string | null> => (await beginning(em, [userId, now, prepaId, id, day, part, JSON.stringify(asked)]))[0]?.id ?? null;

const passing = namedStatement({
  name: 'revision.pass-exercise',
  text: `update daily_session
         set asked = (select jsonb_agg(case when step ? 'item' then step || '{"passed": true}' else step end order by place)
                      from jsonb_array_elements(asked) with ordinality as steps(step, place))
         where id = $2 and user_id = $1 and finished_at is null`,
});

/** Notes that the learner passes over the exercise of an open session. */
export const passExercise = async (em: EntityManager, userId: string, id: string): Promise<void> => {
  await passing(em, [userId, id]);
};

const finishing = namedStatement({
  name: 'revision.finish-session',
  text: 'update daily_session set finished_at = $3 where id = $2 and user_id = $1 and finished_at is null',
});

/** SQL: whether something of session `t` is left that can still be answered or marked. */
export const isLeft = `
  exists (select from jsonb_to_recordset(t.asked) as w(id text, item int, passed boolean)
          where case when w.item is null
                     then exists (select from question q where q.id = w.id and q.usable and q.position is not null)
                          and not exists (select from answer a where a.user_id = t.user_id and a.cle = ${answerKeySql('t', 'w')} and a.question_id = w.id)
                     else not coalesce(w.passed, false) and exists (select from item i where i.id = w.item and i.corrige is not null)
                          and not exists (select from practice x where ${markedInSession('x', 't.user_id', 'w.item', 't')}) end)`;

const finishingIfDone = namedStatement({
  name: 'revision.finish-session-if-done',
  text: `update daily_session t set finished_at = $3 where t.id = $2 and t.user_id = $1 and t.finished_at is null and not ${isLeft}`,
});

/**
 * Finishes a session of which nothing is left. Call it after a change was committed: of simultaneous changes, the last one finishes it.
 */
export const finishIfDone = async (em: EntityManager, userId: string, id: string, at: Date): Promise<void> => {
  await finishingIfDone(em, [userId, id, at]);
};

export const finishSession = async (em: EntityManager, userId: string, id: string, at: Date): Promise<void> => {
  await finishing(em, [userId, id, at]);
};
