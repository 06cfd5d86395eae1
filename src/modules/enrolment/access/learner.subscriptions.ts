import type { EntityManager } from '@mikro-orm/postgresql';
import { readJsonRows } from '../../../platform/database/rows.ts';
import type { DomainEventMap, DomainEvents } from '../../../platform/use-cases/events.ts';
import { changesAbout, redactChanges } from '../../identity/index.ts';

/** Exports a learner's enrolments, and cancels them when the learner is erased. The history of days stays, since payments refer to it. */
export function subscribe(events: DomainEvents): void {
  events.on('learner.erasing', eraseFromEnrolments);
  events.on('learner.exporting', exportEnrolments);
}

const ownEnrolments = 'select id from enrolment where user_id = ?';

async function eraseFromEnrolments(tx: EntityManager, { userId, redact }: DomainEventMap['learner.erasing']): Promise<void> {
  // The erased learner cannot sign in, so the end must not be announced.
  await tx.execute(`update enrolment set statut = 'cancelled' where user_id = ? and statut = 'active'`, [userId]);
  const given = await tx.execute<{ id: number; reason: string }[]>(
    `select id, reason from enrolment_extension where enrolment_id in (${ownEnrolments}) and reason is not null`,
    [userId],
  );
  await tx.execute(
    `update enrolment_extension x set reason = left(given.reason, 300) from jsonb_to_recordset(?::jsonb) as given(id int, reason text) where x.id = given.id`,
    [JSON.stringify(given.map(({ id, reason }) => ({ id, reason: redact(reason) })))],
  );
  const ids = await tx.execute<{ id: number }[]>(ownEnrolments, [userId]);
  await redactChanges(
    tx,
    'enrolment',
    ids.map(({ id }) => id),
    redact,
  );
}

async function exportEnrolments(tx: EntityManager, { userId, add }: DomainEventMap['learner.exporting']): Promise<void> {
  add(
    'enrolment',
    await readJsonRows(
      tx,
      'select id, prepa_id, prepa_nom, statut, date_inscription, date_expiration, announced_days from enrolment where user_id = ? order by id',
      [userId],
    ),
  );
  add(
    'enrolment_extension',
    await readJsonRows(
      tx,
      `select id, enrolment_id, payment_id, reverses_id, days, source, reason, expires_before, expires_after, created_at
       from enrolment_extension where enrolment_id in (${ownEnrolments}) order by id`,
      [userId],
    ),
  );
  add('audit_entry', await readJsonRows(tx, changesAbout('enrolment', 'select id::text from enrolment where user_id = ?'), [userId]));
}
