import type { EntityManager } from '@mikro-orm/postgresql';
import { readRows } from '../../../platform/database/rows.ts';
import { notFound, tooManyRequests } from '../../../platform/errors.ts';
import type { UseCaseContext } from '../../../platform/use-cases/events.ts';
import { transact } from '../../../platform/use-cases/transaction.ts';
import { dayMs } from '../../../shared/dates.ts';
import { shownTitle } from '../../content/index.ts';
import { type Actor, recordChange } from '../../identity/index.ts';
import { type FaultKind, ItemReport } from './report.entity.ts';
import type {} from './report.events.ts';
import { type ItemAddress, studyAddress } from './report.presenter.ts';

/** Maximum number of reports per learner in 24 hours. */
const maxReportsADay = 20;

interface ReportInput {
  userId: string;
  itemId: number;
  kind: FaultKind;
  place: string;
  message: string;
}

/**
 * Stores a learner's report of an error in an item. The caller has checked that the learner may read it. An identical open report is
 * not stored twice.
 * @throws AppError 429 with Retry-After after 20 reports in 24 hours
 */
export function reportError(em: EntityManager, { clock, log }: Pick<UseCaseContext, 'clock' | 'log'>, input: ReportInput): Promise<void> {
  const { userId, itemId, kind, place, message } = input;
  return transact(em, { log }, async (tx) => {
    const now = clock.now();
    // Lock the learner's row: reports of one learner are stored one at a time, so that the count below stays exact.
    await tx.execute('select id from app_user where id = ? for no key update', [userId]);
    const same = await tx.findOne(ItemReport, { user: userId, item: itemId, kind, place, message, closedAt: null }, { fields: ['id'] });
    if (same) return;
    const since = new Date(now.getTime() - dayMs);
    const recent = await tx.find(
      ItemReport,
      { user: userId, createdAt: { $gt: since } },
      { fields: ['createdAt'], orderBy: { createdAt: 'desc' }, limit: maxReportsADay },
    );
    const first = recent[maxReportsADay - 1];
    if (first) throw tooManyRequests((first.createdAt.getTime() - since.getTime()) / 1000, tooManyReports);
    await tx.insert(ItemReport, { user: userId, item: itemId, kind, place, message, createdAt: now, closedAt: null, answer: null });
  });
}

const tooManyReports = (): string => `${maxReportsADay} signalements en un jour, c'est le maximum : merci, et à demain.`;

interface ReportedItem extends ItemAddress {
  userId: string;
  titre: string;
}

/**
 * Closes a report, with or without an answer, and notifies the learner.
 * @throws AppError 404 when the report is unknown or already closed
 */
export function closeReport(
  em: EntityManager,
  context: UseCaseContext,
  actor: Actor,
  input: { id: number; answer: string | null },
): Promise<void> {
  const { id, answer } = input;
  return transact(em, context, async (tx) => {
    const now = context.clock.now();
    const closed = await tx.nativeUpdate(ItemReport, { id, closedAt: null }, { closedAt: now, answer });
    const [report] = await readRows<ReportedItem>(
      tx,
      `select r.user_id, i.id as item_id, i.kind, ${shownTitle('i')} as titre, i.discipline_id, d.prepa_id
       from item_report r join item i on i.id = r.item_id join discipline d on d.id = i.discipline_id where r.id = ?`,
      [id],
    );
    if (!report || closed === 0) throw notFound("Ce signalement a déjà été traité, ou n'existe plus.");
    await recordChange(tx, context, actor, {
      action: answer === null ? 'closed' : 'answered',
      subject: 'report',
      subjectId: id,
      label: report.titre,
      after: answer === null ? null : { reponse: answer },
    });
    const { userId, titre } = report;
    await context.events.emit(tx, context, 'content.report-closed', { userId, titre, href: studyAddress(report), answer, at: now });
  });
}
