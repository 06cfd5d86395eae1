import { defineEntity, type InferEntity, p } from '@mikro-orm/core';
import { Administrator } from '../accounts/administrator.entity.ts';

/**
 * An administrative change, sign-in, refusal or export: author, action, time, network, values before and after. A trigger makes the
 * table append-only.
 */
export const AuditEntry = defineEntity({
  name: 'AuditEntry',
  tableName: 'audit_entry',
  indexes: [
    { name: 'audit_entry_at_index', properties: ['at', 'id'] },
    { name: 'audit_entry_subject_index', properties: ['subject', 'subjectId'] },
    // The index of each filter ends with the log's order, so that a page reads only its own rows. Labels have a separate trigram index.
    { name: 'audit_entry_administrator_index', properties: ['administrator', 'at', 'id'] },
    { name: 'audit_entry_action_index', properties: ['action', 'at', 'id'] },
    { name: 'audit_entry_subject_at_index', properties: ['subject', 'at', 'id'] },
    { name: 'audit_entry_subject_action_index', properties: ['subject', 'action', 'at', 'id'] },
  ],
  properties: {
    id: p.integer().primary(),
    at: p.datetime(),
    /** Null for the command line and for persons who are not signed in; `actor` tells them apart. */
    administrator: () => p.manyToOne(Administrator).mapToPk().nullable().deleteRule('restrict'),
    /** The administrator's username then, 'terminal', or 'visiteur'. */
    actor: p.string().length(60),
    /** Network of the request (networkOf); null for the command line, and after `prepa prune` has removed it. */
    network: p.string().length(60).nullable(),
    /** `created`, `updated`, `published`, … (see audit-vocabulary). */
    action: p.string().length(30),
    /** Type of the changed object: `prepa`, `discipline`, `course`, … */
    subject: p.string().length(30),
    subjectId: p.string().length(40).nullable(),
    /** The object's name at that time. */
    label: p.string().length(200),
    before: p.json().lazy().nullable(),
    after: p.json().lazy().nullable(),
  },
});
export type AuditEntry = InferEntity<typeof AuditEntry>;
