import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { projectRoot } from '../../../src/platform/settings/project-root.ts';

/** Distribution of the tables on a PostgreSQL sharded by learner: by learner, on every machine, or on one machine (docs/growth.md). */

const { tables } = JSON.parse(readFileSync(join(projectRoot, 'migrations/.snapshot.json'), 'utf8')) as {
  tables: { name: string; columns: Record<string, unknown> }[];
};

/**
 * Tables with rows of one learner, and the column with the learner's id; null when only a row of another table has it. The entities' tables
 * with the column `user_id` are read from the snapshot of the schema.
 */
export const byLearner: Readonly<Record<string, string | null>> = {
  ...Object.fromEntries(tables.filter(({ columns }) => 'user_id' in columns).map(({ name }) => [name, 'user_id'])),
  app_user: 'id',
  discipline_progress: 'user_id',
  enrolment_extension: null,
  offline_copy: null,
  payment_event: null,
  push_message: null,
};

/** Tables that every learner reads and few write: copied to every machine. */
export const everywhere: ReadonlySet<string> = new Set([
  'administrator',
  'catalogue_revision',
  'content_image',
  'diagnostic_question',
  'discipline',
  'exam',
  'exam_correction',
  'exam_judgement',
  'exam_paper',
  'exam_question',
  'exam_reminder',
  'exam_seal',
  'item',
  'item_document',
  'item_image',
  'item_tally',
  'item_version',
  'item_words',
  'offline_piece',
  'prepa',
  'question',
  'site_secret',
]);

// All other tables are on one machine: drafts, journal, totals, counters, administrators' sessions, provider notifications.
