/** Distribution of the tables on a PostgreSQL sharded by learner: by learner, on every machine, or on one machine (docs/growth.md). */

/** Tables with rows of one learner, and the column with the learner's id; null when only a row of another table has it. */
export const byLearner: Readonly<Record<string, string | null>> = {
  app_user: 'id',
  discipline_progress: 'user_id',
  enrolment: 'user_id',
  enrolment_extension: null,
  item_reading: 'user_id',
  item_report: 'user_id',
  known_device: 'user_id',
  notification: 'user_id',
  offline_copy: null,
  offline_device: 'user_id',
  offline_entry: 'user_id',
  password_reset: 'user_id',
  payment: 'user_id',
  payment_event: null,
  practice: 'user_id',
  session: 'user_id',
};

/** Tables that every learner reads and few write: copied to every machine. */
export const everywhere: ReadonlySet<string> = new Set([
  'administrator',
  'catalogue_revision',
  'content_image',
  'discipline',
  'item',
  'item_document',
  'item_image',
  'item_tally',
  'item_version',
  'item_words',
  'offline_piece',
  'prepa',
  'site_secret',
]);

// All other tables are on one machine: journal, totals, counters, administrators' sessions, provider notifications.
