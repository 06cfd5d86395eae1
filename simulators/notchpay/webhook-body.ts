import { createHmac } from 'node:crypto';
import type { Knobs } from './knobs.ts';
import type { Status } from './ledger.ts';
import type { Payment } from './payments.ts';

/** An event to send: the payment's data, with the status that the event names. */
export interface WebhookEvent {
  id: string;
  /** `payment.complete`, ... */
  name: string;
  status: Status;
  /** Epoch ms. */
  at: number;
}

/** Returns the event's name for a status. Names that docs/payment-providers.md §4 does not give are unconfirmed. */
export function eventName(status: Status): string {
  return status === 'pending' ? 'payment.created' : `payment.${status}`;
}

/** Returns `data` of the newer format, whose event name is in `type`. */
function newData(payment: Payment, status: Status, knobs: Knobs): Record<string, unknown> {
  const { ref, transactionReference, amount, currency } = payment;
  const names = knobs.webhookReference === 'trxref' ? { reference: transactionReference, trxref: ref } : null;
  return {
    ...(names ?? { id: transactionReference, reference: knobs.webhookReference === 'theirs' ? transactionReference : ref }),
    amount,
    currency,
    status,
  };
}

/** Returns `data` of the older format, whose event name is in `event`. With `theirs`, the merchant's reference is missing. */
function oldData(payment: Payment, status: Status, knobs: Knobs): Record<string, unknown> {
  const { ref, transactionReference, amount } = payment;
  if (knobs.webhookReference === 'trxref') return { reference: transactionReference, trxref: ref, amount, status };
  if (knobs.webhookReference === 'theirs') return { reference: transactionReference, amount, status };
  return { reference: knobs.webhookReference === 'ours' ? ref : transactionReference, merchant_reference: ref, amount, status };
}

/**
 * Returns JSON that changes when it is parsed and stringified again: indented, with escaped slashes (as PHP writes them) and with only
 * one accent escaped. Shows whether the signature is checked over the raw bytes.
 */
function prettyPrint(content: Record<string, unknown>, payment: Payment): string {
  const data = {
    ...(content.data as object),
    description: payment.description ?? 'Accès 30 jours / préparation à l’ENAM',
    customer: { name: 'Élève Ngo Bélinga / Éric', email: payment.email },
    receipt: 'https://notchpay.example/reçus/2026/été',
  };
  return JSON.stringify({ ...content, data }, null, 4)
    .replaceAll('/', '\\/')
    .replace('é', '\\u00e9');
}

/** Returns the bytes of a webhook's body. */
export function webhookBody(payment: Payment, event: WebhookEvent, knobs: Knobs): Buffer<ArrayBuffer> {
  const { id, name, status, at } = event;
  const isNew = knobs.webhookGeneration === 'type';
  const told = isNew ? newData(payment, status, knobs) : oldData(payment, status, knobs);
  const data = knobs.webhookData === 'nested' ? { transaction: told } : told;
  const content = isNew ? { id, type: name, created_at: new Date(at).toISOString().replace(/\.\d+/, ''), data } : { id, event: name, data };
  return Buffer.from(knobs.webhookBody === 'pretty' ? prettyPrint(content, payment) : JSON.stringify(content));
}

/** Returns the headers of a webhook: the content type, and the signature that the knobs ask for. */
export function webhookHeaders(body: Buffer, hashKey: string, knobs: Knobs): Record<string, string> {
  const type = { 'content-type': 'application/json' };
  if (knobs.webhookSignature === 'none') return type;
  const key = knobs.webhookSignature === 'wrong-key' ? `${hashKey}-of-another` : hashKey;
  const signed = knobs.webhookSignature === 'other-body' ? `${body} ` : body;
  return { ...type, [knobs.signatureHeader]: createHmac(knobs.signatureAlgorithm, key).update(signed).digest('hex') };
}
