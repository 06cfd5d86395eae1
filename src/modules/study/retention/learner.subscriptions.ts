import type { EntityManager } from '@mikro-orm/postgresql';
import { readJsonRows } from '../../../platform/database/rows.ts';
import type { DomainEventMap, DomainEvents } from '../../../platform/use-cases/events.ts';
import { shownTitle } from '../../content/index.ts';
import { changesAbout, redactChanges } from '../../identity/index.ts';

/** Exports and erases a learner's reading marks. Reports of errors stay when the learner is erased, without the learner, since they concern the text. */
export function subscribe(events: DomainEvents): void {
  events.on('learner.erasing', eraseReadings);
  events.on('learner.exporting', exportReadings);
}

interface ReportTexts {
  id: number;
  place: string;
  message: string;
  answer: string | null;
}

async function eraseReadings(tx: EntityManager, { userId, redact }: DomainEventMap['learner.erasing']): Promise<void> {
  await tx.execute('delete from item_reading where user_id = ?', [userId]);
  const reports = await tx.execute<ReportTexts[]>('select id, place, message, answer from item_report where user_id = ?', [userId]);
  await tx.execute(
    `update item_report r set place = left(t.place, 200), message = left(t.message, 1000), answer = left(t.answer, 1000)
     from jsonb_to_recordset(?::jsonb) as t(id int, place text, message text, answer text) where r.id = t.id`,
    [JSON.stringify(reports.map(({ id, place, message, answer }) => ({ id, ...redact({ place, message, answer }) })))],
  );
  await redactChanges(
    tx,
    'report',
    reports.map(({ id }) => id),
    redact,
  );
}

async function exportReadings(tx: EntityManager, { userId, add }: DomainEventMap['learner.exporting']): Promise<void> {
  const rows = (columns: string, table: string) =>
    readJsonRows(
      tx,
      `select t.item_id, ${columns}, ${shownTitle('i')} as titre from ${table} t left join item i on i.id = t.item_id where t.user_id = ? order by t.item_id`,
      [userId],
    );
  add('item_reading', await rows('t.read_at, t.finished_at', 'item_reading'));
  add(
    'discipline_progress',
    await readJsonRows(
      tx,
      `select t.discipline_id, d.nom, t.finished, t.last_item_id, t.last_read_at
       from discipline_progress t join discipline d on d.id = t.discipline_id where t.user_id = ? order by t.discipline_id`,
      [userId],
    ),
  );
  add('item_report', await rows('t.id, t.kind, t.place, t.message, t.created_at, t.closed_at, t.answer', 'item_report'));
  add('audit_entry', await readJsonRows(tx, changesAbout('report', 'select id::text from item_report where user_id = ?'), [userId]));
}
