import type { EntityManager } from '@mikro-orm/postgresql';
import { namedStatement } from '../../../platform/database/named-statement.ts';
import { type RowOf, readRows } from '../../../platform/database/rows.ts';
import type { Enrolment } from './enrolment.entity.ts';

type Stored = RowOf<Enrolment, 'id' | 'prepaNom' | 'statut' | 'dateInscription' | 'dateExpiration'>;
export type EnrolmentRow = Stored & { prepaId: number | null };

const columns = 'e.id, e.prepa_id, coalesce(p.nom, e.prepa_nom) as prepa_nom, e.statut, e.date_inscription, e.date_expiration';

/** A learner has few enrolments, one per prepa; the limit is only a safeguard. */
const ofLearner = namedStatement<EnrolmentRow>({
  name: 'enrolment.of-learner',
  text: `select ${columns} from enrolment e left join prepa p on p.id = e.prepa_id
         where e.user_id = $1 order by (e.statut = 'active') desc, e.date_expiration desc limit 200`,
});

/**
 * Returns SQL: whether a learner may study a prepa at an instant, given three SQL placeholders. The end is compared too, so that
 * access ends even if the nightly command has not run. The study page uses this within its own statement.
 */
export const accessCondition = (user: string, prepa: string, now: string): string =>
  `exists (select from enrolment where user_id = ${user} and prepa_id = ${prepa} and statut = 'active' and date_expiration > ${now})`;

/**
 * Returns SQL that follows a join of a learner's enrolment `e`: `w.at` is the time of an action on a device, moved into the period from the
 * enrolment's beginning to now. Rows outside of the paid days are left out; access may have ended since. Both parameters are SQL.
 */
export const timeWithinAccess = (time: string, now: string): string =>
  `join lateral (select least(greatest(${time}, e.date_inscription), ${now}::timestamptz) as at) w on w.at < e.date_expiration`;

const accessTo = namedStatement<{ access: boolean }>({
  name: 'enrolment.access',
  text: `select ${accessCondition('$1', '$2', '$3')} as access`,
});

const oneOf = namedStatement<EnrolmentRow>({
  name: 'enrolment.one',
  text: `select ${columns} from enrolment e left join prepa p on p.id = e.prepa_id where e.user_id = $1 and e.prepa_id = $2`,
});

export const listOfLearner = (em: EntityManager, userId: string): Promise<EnrolmentRow[]> => ofLearner(em, [userId]);

export const hasAccess = async (em: EntityManager, userId: string, prepaId: number, now: Date): Promise<boolean> =>
  (await accessTo(em, [userId, prepaId, now]))[0]?.access ?? false;

const anyAccess = namedStatement<{ access: boolean }>({
  name: 'enrolment.any-access',
  text: `select exists (select from enrolment where user_id = $1 and statut = 'active' and date_expiration > $2) as access`,
});

export const hasAnyAccess = async (em: EntityManager, userId: string, now: Date): Promise<boolean> =>
  (await anyAccess(em, [userId, now]))[0]?.access ?? false;

export const findEnrolment = async (em: EntityManager, userId: string, prepaId: number): Promise<EnrolmentRow | null> =>
  (await oneOf(em, [userId, prepaId]))[0] ?? null;

/**
 * Returns the learners with access to a prepa: their number, the latest end (null without any), and a digest of the enrolments and
 * ends. Includes enrolments that a wrong clock has marked as ended.
 * Locks these enrolments until the end of the transaction.
 */
export async function findActive(em: EntityManager, prepaId: number, now: Date) {
  const [row] = await em.execute<{ count: number; until: string | null; key: string }[]>(
    `select count(*)::int as count, max(date_expiration) as until,
            md5(coalesce(string_agg(concat_ws(' ', id, extract(epoch from date_expiration)), ',' order by id), '')) as key
     from (select id, date_expiration from enrolment where prepa_id = ? and statut <> 'cancelled' and date_expiration > ? for update) e`,
    [prepaId, now],
  );
  return { count: row?.count ?? 0, until: row?.until ? new Date(row.until) : null, key: row?.key ?? '' };
}

interface ListFilter {
  email?: string | undefined;
  prepaId?: number | undefined;
  limit: number;
}

/**
 * Returns enrolments for the operator, latest end first. Only the given filters are in the statement, so that PostgreSQL uses the
 * matching index.
 */
export async function listForOperator(
  em: EntityManager,
  { email, prepaId, limit }: ListFilter,
): Promise<(EnrolmentRow & { email: string })[]> {
  const conditions = [
    ...(email === undefined ? [] : [{ text: 'e.user_id = (select id from app_user where lower(email) = lower(?))', value: email }]),
    ...(prepaId === undefined ? [] : [{ text: 'e.prepa_id = ?', value: prepaId }]),
  ];
  const where = conditions.length === 0 ? '' : `where ${conditions.map(({ text }) => text).join(' and ')}`;
  const rows = await readRows<StoredForOperator>(
    em,
    `select ${columns}, u.email from enrolment e join app_user u on u.id = e.user_id left join prepa p on p.id = e.prepa_id
     ${where} order by e.date_expiration desc, e.id desc limit ?`,
    [...conditions.map(({ value }) => value), limit],
  );
  return rows.map((row) => ({ ...row, dateInscription: new Date(row.dateInscription), dateExpiration: new Date(row.dateExpiration) }));
}

type StoredForOperator = Omit<EnrolmentRow, 'dateInscription' | 'dateExpiration'> & {
  email: string;
  dateInscription: string;
  dateExpiration: string;
};
