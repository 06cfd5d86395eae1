import type { FastifyInstance } from 'fastify';
import type { Progress, StudyProgress } from '../../enrolment/index.ts';
import { findProgress, type ProgressRow } from './reading.repository.ts';
import type { ReadingJournal } from './reading-journal.ts';

/** Tells the dashboard and the disciplines of a prepa how far a learner is, and where they stopped. */
export function contributeProgress(app: FastifyInstance, journal: ReadingJournal): void {
  app.contributeProgress(async (request, prepaId) => {
    if (!request.learner) return { prepas: {}, disciplines: {}, lastRead: null, aRevoir: 0 };
    await journal.flushSoon();
    return presentProgress(await findProgress(request.em, request.learner.id, request.context.clock.now(), prepaId));
  });
}

function presentProgress(rows: ProgressRow[]): StudyProgress {
  const progress: StudyProgress = { prepas: {}, disciplines: {}, lastRead: null, aRevoir: rows[0]?.a_revoir ?? 0 };
  // The newest reading first: what a prepa was left at is what its discipline was left at.
  for (const row of rows.toSorted((one, other) => Number(other.read_at) - Number(one.read_at))) {
    const { prepa_id, discipline_id, kind, item_id, done, total } = row;
    const lastRead = item_id === null ? null : `/user/prepa/${prepa_id}/${discipline_id}?type=${kind}&item=${item_id}`;
    progress.lastRead ??= lastRead;
    progress.disciplines[discipline_id] = { done, total, lastRead };
    const prepa: Progress = progress.prepas[prepa_id] ?? { done: 0, total: 0, lastRead };
    progress.prepas[prepa_id] = { done: prepa.done + done, total: prepa.total + total, lastRead: prepa.lastRead };
  }
  return progress;
}
