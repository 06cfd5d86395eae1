import type { EntityManager } from '@mikro-orm/postgresql';
import { erasedName, type Redaction } from '../accounts/redaction.ts';
import type { AuditSubject } from './audit-vocabulary.ts';

/** Takes a learner's names out of what the audit log says about these subjects, in the transaction that erases them (`allowErasing`). */
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
  // The others keep the name of what they are about: a prepa's may hold a learner's by chance.
  const label = (of: string) => (subject === 'learner' ? erasedName : of);
  await tx.execute(
    `update audit_entry a set label = r.label, before = nullif(r.before, 'null'), after = nullif(r.after, 'null')
     from jsonb_to_recordset(?::jsonb) as r(id int, label text, before jsonb, after jsonb) where a.id = r.id`,
    [JSON.stringify(rows.map((row) => ({ id: row.id, label: label(row.label), before: redact(row.before), after: redact(row.after) })))],
  );
}

/** SQL: what the audit log holds about a subject, without who did it. */
export const changesAbout = (subject: AuditSubject, ids: string): string =>
  `select at, action, subject, subject_id, label, before, after from audit_entry where subject = '${subject}' and subject_id in (${ids})`;
