import { randomUUID } from 'node:crypto';
import type { Courier } from '../platform/delivery.ts';
import type { Knobs } from './knobs.ts';
import type { Transaction } from './transactions.ts';

const DELIVERIES_KEPT = 50;

export interface Notifier {
  /** Sends the notification, as often as the knobs say, one copy after the other. Resolves when all were tried. Never rejects. */
  send(transaction: Transaction, knobs: Knobs): Promise<void>;
  /** Aborts the calls in progress. */
  cancel(): void;
}

function bodyOf(transaction: Transaction, ref: string, encoding: Knobs['notificationEncoding']): FormData | URLSearchParams {
  const body = encoding === 'multipart' ? new FormData() : new URLSearchParams();
  body.set('ref', ref);
  body.set('zitopay_transaction_reference', transaction.transactionReference);
  return body;
}

/** Sends server-to-server notifications. */
export function createNotifier(courier: Courier): Notifier {
  return {
    async send(transaction, knobs) {
      const url = transaction.notification_url;
      if (url === undefined) return;
      const stop = courier.stopping();
      for (let sent = 0; sent < knobs.notificationTimes && !stop.aborted; sent += 1) {
        const ref = knobs.notificationReference === 'own' ? transaction.ref : `INCONNU-${randomUUID()}`;
        const outcome = await courier.post(url, bodyOf(transaction, ref, knobs.notificationEncoding));
        transaction.deliveries.push({ ref, ...outcome });
        if (transaction.deliveries.length > DELIVERIES_KEPT) transaction.deliveries.shift();
        // The payer waits for the notifications, so a copy that timed out is not followed by another.
        if (outcome.error === 'TimeoutError') return;
      }
    },
    cancel: () => courier.cancel(),
  };
}
