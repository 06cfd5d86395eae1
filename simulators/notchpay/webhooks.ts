import { randomUUID } from 'node:crypto';
import type { Agenda } from '../platform/agenda.ts';
import type { SimulatedClock } from '../platform/clock.ts';
import type { Courier } from '../platform/delivery.ts';
import type { KnobBoard } from '../platform/knob-board.ts';
import type { Knobs } from './knobs.ts';
import type { Status } from './ledger.ts';
import type { Delivery, Payment } from './payments.ts';
import { eventName, webhookBody, webhookHeaders } from './webhook-body.ts';

const DELIVERIES_KEPT = 50;

export interface Webhooks {
  /** Returns the address of webhooks (null: none) and whether sending is enabled. In the real service, this is set in the dashboard. */
  endpoint(): { url: string | null; enabled: boolean };
  setUrl(url: string | null): void;
  /** Sends the event of a status, as often as the knobs say. Resolves when every copy was tried once. Never rejects. */
  send(payment: Payment, status: Status): Promise<void>;
  /** Aborts the calls in progress. */
  cancel(): void;
}

export interface WebhookContext {
  courier: Courier;
  knobs: KnobBoard<Knobs>;
  clock: SimulatedClock;
  agenda: Agenda;
  hashKey: string;
  url: string | null;
}

/** A webhook call. Retries send the same bytes. */
interface Call {
  payment: Payment;
  event: string;
  eventId: string;
  copy: number;
  body: Buffer<ArrayBuffer>;
  headers: Record<string, string>;
}

const isAccepted = ({ httpStatus }: Delivery) => httpStatus !== null && httpStatus >= 200 && httpStatus < 300;
const isRefused = ({ httpStatus }: Delivery) => httpStatus !== null && httpStatus >= 400 && httpStatus < 500;

/** Sends signed events to the merchant. Retries, by the simulated clock, until the response is 2xx. */
export function createWebhooks({ courier, knobs, clock, agenda, hashKey, url: initialUrl }: WebhookContext): Webhooks {
  let url = initialUrl;
  let enabled = true;

  async function deliver(call: Call, attempt: number): Promise<Delivery | null> {
    if (url === null || !enabled) return null;
    const { payment, event, eventId, body, headers } = call;
    const delivery = { event, eventId, ...(await courier.post(url, body, headers)) };
    payment.deliveries.push(delivery);
    if (payment.deliveries.length > DELIVERIES_KEPT) payment.deliveries.shift();

    const { webhookDisabledBy4xx, webhookRetryDelaysMs } = knobs.effective(payment.ref);
    if (webhookDisabledBy4xx && isRefused(delivery)) enabled = false;
    const delay = webhookRetryDelaysMs[attempt];
    if (!isAccepted(delivery) && delivery.error !== 'AbortError' && delay !== undefined) {
      agenda.plan(`retry ${eventId} ${payment.ref} ${event} ${call.copy}`, clock.now() + delay, () => deliver(call, attempt + 1));
    }
    return delivery;
  }

  return {
    endpoint: () => ({ url, enabled }),
    setUrl(next) {
      url = next;
      enabled = true;
    },
    async send(payment, status) {
      const settings = knobs.effective(payment.ref);
      const prefix = settings.webhookGeneration === 'type' ? 'evt_sim_' : 'whk.sim_';
      const id = settings.webhookId === 'endpoint' ? 'whk.sim_endpoint' : `${prefix}${randomUUID()}`;
      const event = { id, name: eventName(status), status, at: clock.now() };
      const body = webhookBody(payment, event, settings);
      const headers = webhookHeaders(body, hashKey, settings);
      const stop = courier.stopping();
      for (let copy = 0; copy < settings.webhookTimes && !stop.aborted; copy += 1) {
        const delivery = await deliver({ payment, event: event.name, eventId: event.id, copy, body, headers }, 0);
        // The payer waits for the webhooks, so a copy that timed out is not followed by another.
        if (delivery?.error === 'TimeoutError') return;
      }
    },
    cancel: () => courier.cancel(),
  };
}
