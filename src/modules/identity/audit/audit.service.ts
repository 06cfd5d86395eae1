import type { EntityManager } from '@mikro-orm/postgresql';
import type { UseCaseContext } from '../../../platform/use-cases/events.ts';
import type { Actor } from '../accounts/actor.ts';
import { sessionExpired } from '../accounts/identity.errors.ts';
import { AuditEntry } from './audit-entry.entity.ts';
import type { AuditAction, AuditSubject } from './audit-vocabulary.ts';

export interface Change {
  action: AuditAction;
  subject: AuditSubject;
  subjectId?: string | number | null;
  /** The object's name. */
  label: string;
  /** Values before the change; none for a creation. Must not contain secrets. */
  before?: object | null;
  after?: object | null;
}

/**
 * Writes a change into the audit log, in the transaction that makes the change.
 * @throws AppError 401 when the author was disabled meanwhile: the transaction is then rolled back
 */
export async function recordChange(em: EntityManager, context: UseCaseContext, actor: Actor, change: Change): Promise<void> {
  if (!em.isInTransaction()) throw new Error('a change is recorded in the transaction that makes it');
  await requireActive(em, actor);
  await em.insert(AuditEntry, {
    at: context.clock.now(),
    administrator: actor.administratorId,
    actor: actor.name,
    network: actor.network ?? null,
    action: change.action,
    subject: change.subject,
    subjectId: change.subjectId == null ? null : String(change.subjectId),
    label: change.label.slice(0, 200),
    before: change.before ?? null,
    after: change.after ?? null,
  });
  context.log.info(
    { actor: actor.name, action: change.action, subject: change.subject, subjectId: change.subjectId },
    'administrative change',
  );
}

/** Locks the author's row (for share). A concurrent disabling waits for the end of this transaction, so that no change follows it. */
async function requireActive(em: EntityManager, { administratorId }: Actor): Promise<void> {
  if (administratorId === null) return;
  const active = await em.execute('select id from administrator where id = ? and disabled_at is null for share', [administratorId]);
  if (active.length === 0) throw sessionExpired();
}

/** Returns the author of the last edit of an object; null when the log has none. */
export async function lastActor(em: EntityManager, subject: AuditSubject, subjectId: number): Promise<string | null> {
  const [last] = await em.find(
    AuditEntry,
    { subject, subjectId: String(subjectId), action: ['created', 'updated'] },
    { fields: ['actor'], orderBy: { id: 'desc' }, limit: 1, disableIdentityMap: true },
  );
  return last?.actor ?? null;
}

/**
 * Writes one deletion per row with a set-based statement, for rows deleted together with their parent.
 * @param rows SQL that returns `subject`, `subject_id`, `label` and `before` (jsonb), with `?` for its values
 */
export async function recordDeletions(
  em: EntityManager,
  context: UseCaseContext,
  actor: Actor,
  rows: string,
  values: unknown[],
): Promise<void> {
  if (!em.isInTransaction()) throw new Error('a change is recorded in the transaction that makes it');
  await em.execute(
    `insert into audit_entry (at, administrator_id, actor, network, action, subject, subject_id, label, before)
     select ?::timestamptz, ?::uuid, ?, ?, 'deleted', gone.subject, gone.subject_id::text, left(gone.label, 200), gone.before from (${rows}) gone`,
    [context.clock.now().toISOString(), actor.administratorId, actor.name, actor.network ?? null, ...values],
  );
}

/**
 * Writes one update per row with a set-based statement, for rows changed together.
 * @param rows SQL that returns `subject`, `subject_id`, `label`, `before` and `after` (jsonb), with `?` for its values
 * @throws AppError 401 when the author was disabled meanwhile
 */
export async function recordUpdates(
  em: EntityManager,
  context: UseCaseContext,
  actor: Actor,
  rows: string,
  values: unknown[],
): Promise<void> {
  if (!em.isInTransaction()) throw new Error('a change is recorded in the transaction that makes it');
  await requireActive(em, actor);
  await em.execute(
    `insert into audit_entry (at, administrator_id, actor, network, action, subject, subject_id, label, before, after)
     select ?::timestamptz, ?::uuid, ?, ?, 'updated', changed.subject, changed.subject_id::text, left(changed.label, 200), changed.before, changed.after
     from (${rows}) changed`,
    [context.clock.now().toISOString(), actor.administratorId, actor.name, actor.network ?? null, ...values],
  );
}

/** Returns who last changed an object, and when; null when the log has no change of it. */
export async function lastChange(
  em: EntityManager,
  { subject, subjectId }: { subject: Change['subject']; subjectId: number },
): Promise<{ actor: string; at: Date } | null> {
  return em.findOne(AuditEntry, { subject, subjectId: String(subjectId) }, { fields: ['actor', 'at'], orderBy: { id: 'desc' } });
}
