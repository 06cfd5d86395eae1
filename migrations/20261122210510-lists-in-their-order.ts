import { OnlineMigration } from '../src/platform/database/online-migration.ts';

/** The index of each filter ends with the list's sort columns, so that a page reads only its own rows, however long the list is. */
export class ListsInTheirOrder extends OnlineMigration {
  override name = '20261122210510-lists-in-their-order';

  override async up(): Promise<void> {
    for (const [name, { now }] of Object.entries(replaced)) await this.#replace(name, now);
    for (const [name, definition] of Object.entries(added)) await this.createIndex(name, definition);
    for (const name of Object.keys(dropped)) await this.dropIndex(name);
  }

  override async down(): Promise<void> {
    for (const [name, definition] of Object.entries(dropped)) await this.createIndex(name, definition);
    for (const name of Object.keys(added)) await this.dropIndex(name);
    for (const [name, { before }] of Object.entries(replaced)) await this.#replace(name, before);
  }

  /** Replaces an index. Queries can use the old index until the new one is ready. */
  async #replace(name: string, definition: string): Promise<void> {
    await this.createIndex(`${name}_new`, definition);
    await this.dropIndex(name);
    await this.execute(`alter index ${name}_new rename to ${name}`);
  }
}

const replaced: Record<string, { before: string; now: string }> = {
  audit_entry_administrator_index: {
    before: 'audit_entry (administrator_id)',
    now: 'audit_entry (administrator_id, at, id)',
  },
  payment_created_index: { before: 'payment (created_at)', now: 'payment (created_at, id)' },
  payment_phone_index: { before: 'payment (payer_phone_last, id)', now: 'payment (payer_phone_last, created_at, id)' },
  payment_prepa_index: { before: 'payment (prepa_id)', now: 'payment (prepa_id, created_at, id)' },
  // Payments under review are excluded: they have the index of their state, and may be older than all open payments.
  payment_open_index: {
    before: "payment (created_at) where status in ('created', 'pending', 'review')",
    now: "payment (created_at, id) where status in ('created', 'pending')",
  },
  enrolment_prepa_index: { before: 'enrolment (prepa_id)', now: 'enrolment (prepa_id, date_expiration, id)' },
  discipline_prepa_index: { before: 'discipline (prepa_id)', now: 'discipline (prepa_id, id)' },
};

const added: Record<string, string> = {
  audit_entry_action_index: 'audit_entry (action, at, id)',
  audit_entry_subject_at_index: 'audit_entry (subject, at, id)',
  audit_entry_subject_action_index: 'audit_entry (subject, action, at, id)',
  audit_entry_label_index: 'audit_entry using gin (label gin_trgm_ops)',
  payment_prepa_status_index: 'payment (prepa_id, status, created_at, id)',
  payment_status_index: 'payment (status, created_at, id)',
  payment_provider_index: 'payment (provider, created_at, id)',
  enrolment_expiration_index: 'enrolment (date_expiration, id)',
  prepa_nom_index: 'prepa (nom, id)',
  prepa_published_index: 'prepa (id) where is_published',
  prepa_recherche_index: 'prepa using gin (recherche gin_trgm_ops)',
  // Two rows. Production queries them at each start.
  app_user_demo_index: 'app_user (id) where is_demo',
};

/** Indexes whose columns change with each reading or mark, which prevents HOT updates. The primary key finds a learner's rows. */
const dropped: Record<string, string> = {
  item_reading_user_date_index: 'item_reading (user_id, read_at)',
  practice_user_verdict_index: 'practice (user_id, verdict, marked_at)',
};
