/** How the tables would stand on a distributed PostgreSQL: by learner, everywhere, or in one place (docs/growth.md). */

/** Rows of one learner, with the column that says whose; null: only a row of another table says it. */
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

/** What everybody reads and few write: whole on every machine. */
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

// Whatever else there is stands in one place: the journal, totals, counters, administrators' sessions, what providers have sent.
