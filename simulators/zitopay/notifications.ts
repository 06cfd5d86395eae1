import { randomUUID } from 'node:crypto';
import type { Knobs } from './knobs.ts';
import type { Delivery, Transaction } from './transactions.ts';

const CONCURRENT_DELIVERIES = 32;
const DELIVERIES_KEPT = 50;

export interface Notifier {
  /** POSTs the notification as the knobs say, one copy after the other, and resolves when all were tried. Never rejects. */
  send(transaction: Transaction, knobs: Knobs): Promise<void>;
  /** Gives up what is under way. */
  cancel(): void;
}

/** Lets at most `limit` tasks run together; the others wait their turn. */
function createGate(limit: number) {
  let free = limit;
  const waiting: (() => void)[] = [];
  return async <T>(task: () => Promise<T>): Promise<T> => {
    if (free === 0) await new Promise<void>((resolve) => waiting.push(resolve));
    else free -= 1;
    try {
      return await task();
    } finally {
      const next = waiting.shift();
      if (next) next();
      else free += 1;
    }
  };
}

function bodyOf(transaction: Transaction, ref: string, encoding: Knobs['notificationEncoding']): FormData | URLSearchParams {
  const body = encoding === 'multipart' ? new FormData() : new URLSearchParams();
  body.set('ref', ref);
  body.set('zitopay_transaction_reference', transaction.transactionReference);
  return body;
}

/** Server-to-server notifications, each given up after `timeoutMs`. */
export function createNotifier(timeoutMs: number): Notifier {
  const gate = createGate(CONCURRENT_DELIVERIES);
  let shutdown = new AbortController();

  async function deliver(url: string, transaction: Transaction, knobs: Knobs, stop: AbortSignal): Promise<Delivery> {
    const ref = knobs.notificationReference === 'own' ? transaction.ref : `INCONNU-${randomUUID()}`;
    try {
      const response = await fetch(url, {
        method: 'POST',
        body: bodyOf(transaction, ref, knobs.notificationEncoding),
        redirect: 'manual',
        signal: AbortSignal.any([AbortSignal.timeout(timeoutMs), stop]),
      });
      await response.body?.cancel();
      return { ref, httpStatus: response.status, error: null };
    } catch (error) {
      return { ref, httpStatus: null, error: error instanceof Error ? error.name : String(error) };
    }
  }

  return {
    async send(transaction, knobs) {
      const url = transaction.notification_url;
      if (url === undefined) return;
      const stop = shutdown.signal;
      for (let sent = 0; sent < knobs.notificationTimes && !stop.aborted; sent += 1) {
        const delivery = await gate(() => deliver(url, transaction, knobs, stop));
        transaction.deliveries.push(delivery);
        if (transaction.deliveries.length > DELIVERIES_KEPT) transaction.deliveries.shift();
        // The payer waits behind a notification: one that hangs is not tried again.
        if (delivery.error === 'TimeoutError') return;
      }
    },
    cancel() {
      shutdown.abort();
      shutdown = new AbortController();
    },
  };
}
