import { defineEntity, type InferEntity, p } from '@mikro-orm/core';
import { Administrator } from '../accounts/administrator.entity.ts';

/** One administrative change, sign-in, refusal or export: who, what, when, from where, before and after. Append-only, by a trigger. */
export const AuditEntry = defineEntity({
  name: 'AuditEntry',
  tableName: 'audit_entry',
  indexes: [
    { name: 'audit_entry_at_index', properties: ['at', 'id'] },
    { name: 'audit_entry_subject_index', properties: ['subject', 'subjectId'] },
    // Each filter of the log ends in its order, so that a page of it reads the rows of a page; labels have an index of their own, over their trigrams.
    { name: 'audit_entry_administrator_index', properties: ['administrator', 'at', 'id'] },
    { name: 'audit_entry_action_index', properties: ['action', 'at', 'id'] },
    { name: 'audit_entry_subject_at_index', properties: ['subject', 'at', 'id'] },
    { name: 'audit_entry_subject_action_index', properties: ['subject', 'action', 'at', 'id'] },
  ],
  properties: {
    id: p.integer().primary(),
    at: p.datetime(),
    /** Null: the operator's terminal, or nobody who is known (`actor` says which). */
    administrator: () => p.manyToOne(Administrator).mapToPk().nullable().deleteRule('restrict'),
    /** The administrator's username then, 'terminal', or 'visiteur'. */
    actor: p.string().length(60),
    /** The network that it came from (networkOf); null for the terminal, and once `prepa prune` has taken it out. */
    network: p.string().length(60).nullable(),
    /** `created`, `updated`, `published`, … (see audit-vocabulary). */
    action: p.string().length(30),
    /** What was changed: `prepa`, `discipline`, `course`, … */
    subject: p.string().length(30),
    subjectId: p.string().length(40).nullable(),
    /** The subject's name, as it was. */
    label: p.string().length(200),
    before: p.json().lazy().nullable(),
    after: p.json().lazy().nullable(),
  },
});
export type AuditEntry = InferEntity<typeof AuditEntry>;
