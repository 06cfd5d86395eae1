import type { EntityManager } from '@mikro-orm/postgresql';
import { readJsonRows } from '../../../platform/database/rows.ts';
import type { DomainEventMap, DomainEvents } from '../../../platform/use-cases/events.ts';
import { changesAbout, redactChanges } from '../../identity/index.ts';

/** What a learner has made of texts, when it is handed over and when it goes. What they have reported stays, said by nobody: it is about the text. */
export function subscribe(events: DomainEvents): void {
  events.on('learner.erasing', eraseFromContent);
  events.on('learner.exporting', exportContent);
}

interface ReportTexts {
  id: number;
  place: string;
  message: string;
  answer: string | null;
}

async function eraseFromContent(tx: EntityManager, { userId, redact }: DomainEventMap['learner.erasing']): Promise<void> {
  await tx.execute('delete from item_reading where user_id = ?', [userId]);
  await tx.execute('delete from practice where user_id = ?', [userId]);
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

async function exportContent(tx: EntityManager, { userId, add }: DomainEventMap['learner.exporting']): Promise<void> {
  const rows = (columns: string, table: string) =>
    readJsonRows(tx, `select item_id, ${columns} from ${table} where user_id = ? order by item_id`, [userId]) as Promise<
      { item_id: number }[]
    >;
  const readings = await rows('read_at, finished_at', 'item_reading');
  const practices = await rows('verdict, marked_at, times', 'practice');
  const reports = await rows('id, kind, place, message, created_at, closed_at, answer', 'item_report');
  const titles = await findTitles(
    tx,
    [...readings, ...practices, ...reports].map((row) => row.item_id),
  );
  const titled = (own: { item_id: number }[]) => own.map((row) => ({ ...row, titre: titles.get(row.item_id) }));
  add('item_reading', titled(readings));
  add(
    'discipline_progress',
    await readJsonRows(
      tx,
      `select t.discipline_id, d.nom, t.finished, t.last_item_id, t.last_read_at
       from discipline_progress t join discipline d on d.id = t.discipline_id where t.user_id = ? order by t.discipline_id`,
      [userId],
    ),
  );
  add('practice', titled(practices));
  add('item_report', titled(reports));
  add('audit_entry', await readJsonRows(tx, changesAbout('report', 'select id::text from item_report where user_id = ?'), [userId]));
}

/** Each item is looked up once, in however many tables it stands. */
async function findTitles(tx: EntityManager, ids: number[]): Promise<Map<number, string>> {
  const found = `{${[...new Set(ids)]}}`;
  const rows = await tx.execute<{ id: number; titre: string }[]>('select id, titre from item where id = any(?::int[])', [found]);
  return new Map(rows.map(({ id, titre }) => [id, titre]));
}
