import type { EntityManager } from '@mikro-orm/postgresql';
import { erasedName, type Redaction } from '../accounts/redaction.ts';
import type { AuditSubject } from './audit-vocabulary.ts';

/** Removes a learner's names from the audit entries about these objects, in the transaction that erases the learner (`allowErasing`). */
export async function redactChanges(
  tx: EntityManager,
  subject: AuditSubject,
  subjectIds: readonly (string | number)[],
  redact: Redaction,
): Promise<void> {
  if (subjectIds.length === 0) return;
  const about = [subject, `{${subjectIds}}`];
  const rows = await tx.execute<{ id: number; label: string; before: unknown; after: unknown }[]>(
    'select id, label, before, after from audit_entry where subject = ? and subject_id = any(?::text[]) order by id',
    about,
  );
  // Labels of other objects stay: a prepa's name may contain the learner's name by chance.
  const label = (of: string) => (subject === 'learner' ? erasedName : of);
  await tx.execute(
    `update audit_entry a set label = r.label, before = nullif(r.before, 'null'), after = nullif(r.after, 'null')
     from jsonb_to_recordset(?::jsonb) as r(id int, label text, before jsonb, after jsonb) where a.id = r.id`,
    [JSON.stringify(rows.map((row) => ({ id: row.id, label: label(row.label), before: redact(row.before), after: redact(row.after) })))],
  );
}

/** Returns SQL: the audit entries about an object, without their authors. */
export const changesAbout = (subject: AuditSubject, ids: string): string =>
  `select at, action, subject, subject_id, label, before, after from audit_entry where subject = '${subject}' and subject_id in (${ids})`;
