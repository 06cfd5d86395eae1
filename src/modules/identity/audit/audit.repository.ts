import type { EntityManager } from '@mikro-orm/postgresql';
import { type RowOf, readRows } from '../../../platform/database/rows.ts';
import type { AuditEntry } from './audit-entry.entity.ts';
import type { asCondition } from './audit-filters.ts';

type AuditFilter = Partial<ReturnType<typeof asCondition>> & { id?: number };

type Stored = RowOf<AuditEntry, 'id' | 'at' | 'actor' | 'network' | 'action' | 'subject' | 'subjectId' | 'label'>;
export type AuditRow = Stored & { administratorId: string | null; before: unknown; after: unknown };

type StoredRow = Omit<AuditRow, 'at'> & { at: string };

/**
 * Returns a page of the log, newest first. Keyset pagination, so that late pages cost no more than the first.
 * The ORM writes the values into the statement, so that PostgreSQL plans each combination of filters for its values.
 */
export async function listAuditEntries(em: EntityManager, filter: AuditFilter, limit: number): Promise<AuditRow[]> {
  const conditions = conditionsOf(filter);
  const where = conditions.length === 0 ? '' : `where ${conditions.map(({ text }) => text).join(' and ')}`;
  const rows = await readRows<StoredRow>(
    em,
    `select id, at, administrator_id, actor, network, action, subject, subject_id, label, before, after
     from audit_entry ${where} order by at desc, id desc limit ?`,
    [...conditions.flatMap(({ values }) => values), limit],
  );
  return rows.map((row) => ({ ...row, at: new Date(row.at) }));
}

export async function findAuditEntry(em: EntityManager, id: number): Promise<AuditRow | null> {
  return (await listAuditEntries(em, { id }, 1))[0] ?? null;
}

interface Condition {
  text: string;
  values: unknown[];
}

function conditionsOf({ administrator, subject, action, from, until, text, olderThan, id }: AuditFilter): Condition[] {
  const conditions: Condition[] = [];
  const add = (text: string, ...values: unknown[]) => conditions.push({ text, values });
  if (administrator === 'terminal' || administrator === 'visiteur') add('administrator_id is null and actor = ?', administrator);
  else if (administrator) add('administrator_id = ?', administrator);
  if (id) add('id = ?', id);
  if (subject) add('subject = ?', subject);
  if (action) add('action = ?', action);
  if (from) add('at >= ?', from.toISOString());
  if (until) add('at < ?', until.toISOString());
  if (text) conditions.push(labelled(text));
  // An unknown entry limits nothing.
  if (olderThan) add(`(at, id) < (coalesce((select at from audit_entry where id = ?), 'infinity'), ?)`, olderThan, olderThan);
  return conditions;
}

/**
 * Returns the condition for a text anywhere in the label, using the trigram index. One or two characters make no trigram, so they
 * match only at the beginning of a word.
 * Text between two spaces is an entire word in the label too, and the index also holds words: the rarest word limits where trigrams
 * are looked up.
 */
function labelled(text: string): Condition {
  const written = text.replaceAll(/[\\%_]/g, String.raw`\$&`);
  if (text.length <= 2) return { text: '(label ilike ? or label ilike ?)', values: [`${written}%`, `% ${written}%`] };
  const [, words] = / (.+) /.exec(text) ?? [];
  if (words === undefined) return { text: 'label ilike ?', values: [`%${written}%`] };
  return {
    text: `(label ilike ? and string_to_array(lower(label), ' ') @> string_to_array(lower(?), ' '))`,
    values: [`%${written}%`, words],
  };
}
