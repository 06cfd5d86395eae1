import type { EnrolmentEnd } from '../access/enrolment.events.ts';

/** SQL columns of a row of `enrolment e` for events. The end is in ms since 1970, since the ORM's connections return dates as text. */
export const endColumns = `e.id as enrolment_id, e.user_id, e.prepa_id,
  coalesce((select nom from prepa where prepa.id = e.prepa_id), e.prepa_nom) as prepa_nom, extract(epoch from e.date_expiration) * 1000 as end_ms`;

export type EndRow = Omit<EnrolmentEnd, 'dateExpiration'> & { endMs: number };

export const endOfRow = ({ enrolmentId, userId, prepaId, prepaNom, endMs }: EndRow): EnrolmentEnd => ({
  enrolmentId,
  userId,
  prepaId,
  prepaNom,
  dateExpiration: new Date(Number(endMs)),
});
