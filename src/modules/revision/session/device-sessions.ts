import type { EntityManager } from '@mikro-orm/postgresql';
import { readRows } from '../../../platform/database/rows.ts';
import type { EntrySession } from '../../../shared/offline/offline-copy.ts';
import { timeWithinAccess } from '../../enrolment/index.ts';
import { keyFrom } from '../../questions/index.ts';
import { isLeft } from './session.repository.ts';

/** What a learner did on a device in a session of the day. */
export interface DeviceEntry {
  cle: string;
  item: number;
  /** Time by the device's clock, at most now, in ms. */
  le: number;
  /** The answered question. */
  question?: string | undefined;
  seance: EntrySession;
}

/** SQL: the sessions sent, with the prepa of the first of their items that still exists, and their times, if the learner had access then. */
const placed = `
  select s.id, s.partie, s.prevues, d.prepa_id, w.at, (w.at at time zone 'Africa/Douala')::date as day
  from jsonb_to_recordset(?::jsonb) as s(id uuid, items int[], partie int, debut float8, prevues jsonb)
       cross join lateral (select d.prepa_id from item i join discipline d on d.id = i.discipline_id
                           where i.id = any(s.items) order by array_position(s.items, i.id) limit 1) d
       join enrolment e on e.user_id = ?::uuid and e.prepa_id = d.prepa_id ${timeWithinAccess('to_timestamp(s.debut / 1000.0)', '?')}`;

/** SQL: begins the sessions that a device has planned, with the questions and exercises of their prepa; a session of the same part stays. */
const beginning = `
  insert into daily_session (id, user_id, prepa_id, day, part, asked, started_at)
  select p.id, ?::uuid, p.prepa_id, p.day, p.partie, k.asked, p.at
  from (${placed}) p
       cross join lateral (
         select jsonb_agg(step order by place) as asked from jsonb_array_elements(p.prevues) with ordinality as steps(step, place)
         where exists (select from question q join item i on i.id = q.item_id join discipline d on d.id = i.discipline_id
                       where q.id = step ->> 'id' and d.prepa_id = p.prepa_id)
               or exists (select from item i join discipline d on d.id = i.discipline_id
                          where i.id = (step ->> 'item')::int and d.prepa_id = p.prepa_id)) k
  where k.asked is not null
  on conflict do nothing`;

/** SQL: the stored session for each one sent: the same, or that of its prepa, day and part. */
const finding = `
  select distinct on (p.id) p.id as sent, t.id, array(select w.id from jsonb_to_recordset(t.asked) as w(id text)) as questions
  from (${placed}) p join daily_session t on t.user_id = ?::uuid and (t.id = p.id or (t.prepa_id = p.prepa_id and t.day = p.day and t.part = p.partie))
  order by p.id, t.id = p.id desc`;

export interface FoundSession {
  id: string;
  questions: string[];
}

/**
 * Stores the sessions that a learner began on devices, and finds the session of each entry. Of several sessions of one day and part, from
 * several devices, the first to arrive stays. Requires the learner's row lock.
 * @returns the stored sessions by the ids that were sent
 */
export async function takeDeviceSessions(
  tx: EntityManager,
  userId: string,
  now: Date,
  entries: readonly DeviceEntry[],
): Promise<Map<string, FoundSession>> {
  const sent = new Map<string, { id: string; partie: number; debut: number; items: number[]; prevues: EntrySession['prevues'] }>();
  for (const { item, seance } of entries) {
    const { id, partie, debut, prevues } = seance;
    const before = sent.get(id);
    const items = [...(before?.items ?? []), item];
    sent.set(id, { id, partie, debut: Math.min(debut, now.getTime()), items, prevues: prevues ?? before?.prevues });
  }
  if (sent.size === 0) return new Map();
  const json = JSON.stringify([...sent.values()]);
  await tx.execute(beginning, [userId, json, userId, now]);
  const found = await readRows<FoundSession & { sent: string }>(tx, finding, [json, userId, now, userId]);
  return new Map(found.map(({ sent: id, ...session }) => [id, session]));
}

/** Returns the key of an answer in its session; null when the question is not asked there. */
export function keyInSession(found: ReadonlyMap<string, FoundSession>, { question, seance }: DeviceEntry): string | null {
  const session = found.get(seance.id.toLowerCase());
  return session && question && session.questions.includes(question) ? keyFrom([session.id, question]) : null;
}

/** SQL: notes an exercise that was passed over. */
const passing = `
  update daily_session t
  set asked = (select jsonb_agg(case when step -> 'item' is not null then step || '{"passed": true}' else step end order by place)
               from jsonb_array_elements(t.asked) with ordinality as steps(step, place))
  where t.user_id = ?::uuid and t.id = any(?::uuid[])`;

/** SQL: finishes the sessions that the learner has ended, or of which nothing is left, at the time of the last entry. */
const finishing = `
  update daily_session t set finished_at = least(greatest(to_timestamp(s.at / 1000.0), t.started_at), ?::timestamptz)
  from jsonb_to_recordset(?::jsonb) as s(id uuid, at float8, fin boolean)
  where t.user_id = ?::uuid and t.id = s.id and t.finished_at is null and (s.fin or not ${isLeft})`;

/** Ends what the entries end, after their answers were stored. Requires the learner's row lock. */
export async function finishDeviceSessions(
  tx: EntityManager,
  userId: string,
  now: Date,
  entries: readonly DeviceEntry[],
  found: ReadonlyMap<string, FoundSession>,
): Promise<void> {
  const ends = new Map<string, { id: string; at: number; fin: boolean; passe: boolean }>();
  for (const { le, seance } of entries) {
    const session = found.get(seance.id.toLowerCase());
    if (!session) continue;
    const before = ends.get(session.id) ?? { id: session.id, at: le, fin: false, passe: false };
    ends.set(session.id, {
      ...before,
      at: Math.max(before.at, le),
      fin: before.fin || seance.fin === true,
      passe: before.passe || seance.passe === true,
    });
  }
  if (ends.size === 0) return;
  const passed = [...ends.values()].filter(({ passe }) => passe).map(({ id }) => id);
  if (passed.length > 0) await tx.execute(passing, [userId, `{${passed.join(',')}}`]);
  await tx.execute(finishing, [now, JSON.stringify([...ends.values()]), userId]);
}
