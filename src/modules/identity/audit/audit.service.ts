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
  /** The subject's name. */
  label: string;
  /** What stood there; nothing for what is new. Never a secret. */
  before?: object | null;
  after?: object | null;
}

/**
 * Writes one change into the audit log, in the transaction that makes it.
 * @throws AppError 401 when its actor has been disabled since they asked for it: nothing of the change stays
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

/** Who disables this administrator waits for the transaction's end, so that nothing of theirs comes after it. */
async function requireActive(em: EntityManager, { administratorId }: Actor): Promise<void> {
  if (administratorId === null) return;
  const active = await em.execute('select id from administrator where id = ? and disabled_at is null for share', [administratorId]);
  if (active.length === 0) throw sessionExpired();
}

/** Who made the last edit of a subject; null when the log holds none. */
export async function lastActor(em: EntityManager, subject: AuditSubject, subjectId: number): Promise<string | null> {
  const [last] = await em.find(
    AuditEntry,
    { subject, subjectId: String(subjectId), action: ['created', 'updated'] },
    { fields: ['actor'], orderBy: { id: 'desc' }, limit: 1, disableIdentityMap: true },
  );
  return last?.actor ?? null;
}

/**
 * Writes one deletion a row, set-based: for what goes with something else.
 * @param rows SQL that answers `subject`, `subject_id`, `label` and `before` (jsonb), with `?` for its own values
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
