import type { EntityManager } from '@mikro-orm/postgresql';
import { readJsonRows } from '../../../platform/database/rows.ts';
import type { DomainEventMap, DomainEvents } from '../../../platform/use-cases/events.ts';
import { changesAbout, redactChanges } from '../../identity/index.ts';
import { removePayerTraces } from './payer-traces.ts';
import type { PaymentStatus } from './payment.entity.ts';
import { paymentsOpen } from './payment.errors.ts';

/** Exports a learner's payments, and removes the payer's data from them when the learner is erased. */
export function subscribe(events: DomainEvents): void {
  events.on('learner.erasing', eraseFromPayments);
  events.on('learner.exporting', exportPayments);
}

const ownPayments = 'select id from payment where user_id = ?';

async function eraseFromPayments(tx: EntityManager, { userId, email, redact }: DomainEventMap['learner.erasing']): Promise<void> {
  // If an open payment succeeded later, its access could no longer be given to the learner.
  const open = await tx.execute<{ reference: string; amount: number; status: PaymentStatus }[]>(
    `select reference, amount, status from payment where user_id = ? and status in ('created', 'pending', 'review') order by id`,
    [userId],
  );
  if (open.length > 0) throw paymentsOpen(open);
  await removePayerTraces(tx, userId);
  const told = await tx.execute<{ id: number; detail: unknown }[]>(
    `select id, detail from payment_event where payment_id in (${ownPayments}) and type <> 'verification' and detail is not null`,
    [userId],
  );
  await tx.execute(
    `update payment_event e set detail = told.detail from jsonb_to_recordset(?::jsonb) as told(id int, detail jsonb) where e.id = told.id`,
    [JSON.stringify(told.map(({ id, detail }) => ({ id, detail: redact(detail) })))],
  );
  await emptyUnknownNaming(tx, email);
  const ids = await tx.execute<{ id: number }[]>(ownPayments, [userId]);
  await redactChanges(
    tx,
    'payment',
    ids.map(({ id }) => id),
    redact,
  );
}

/** Empties notifications of unknown payments that contain this e-mail: as it is, URL-encoded, or escaped in JSON. */
async function emptyUnknownNaming(tx: EntityManager, email: string): Promise<void> {
  const forms = [email, encodeURIComponent(email), email.replace('@', String.raw`\\u0040`)];
  const patterns = forms.map((form) => `%${form.replaceAll(/[\\%_]/g, String.raw`\$&`)}%`);
  await tx.execute(
    `update payment_notification set body = '', headers = null
     where payment_id is null and (${patterns.map(() => `encode(body, 'escape') ilike ?`).join(' or ')})`,
    patterns,
  );
}

async function exportPayments(tx: EntityManager, { userId, add }: DomainEventMap['learner.exporting']): Promise<void> {
  const rows = (columns: string, table: string) =>
    readJsonRows(tx, `select ${columns} from ${table} where payment_id in (${ownPayments}) order by id`, [userId]);
  add(
    'payment',
    await readJsonRows(
      tx,
      `select id, provider, reference, prepa_id, prepa_nom, amount, currency, status, provider_transaction_id, method, payer_phone_last, refunded_amount,
              refusal, provider_fee, amount_charged, created_at, updated_at, settled_at, completed_at
       from payment where user_id = ? order by id`,
      [userId],
    ),
  );
  add('payment_event', await rows('id, payment_id, type, actor, from_status, to_status, returned, detail, at', 'payment_event'));
  const columns = "id, provider, payment_id, reference, content_type, received_at, processed_at, encode(body, 'base64') as body";
  const notifications = (await rows(columns, 'payment_notification')) as { body: string }[];
  add(
    'payment_notification',
    notifications.map((row) => ({ ...row, body: Buffer.from(row.body, 'base64').toString('utf8') })),
  );
  add('audit_entry', await readJsonRows(tx, changesAbout('payment', 'select id::text from payment where user_id = ?'), [userId]));
}
