import type { FastifyInstance } from 'fastify';
import type { SimulatorOptions } from '../platform/app.ts';
import type { Merchant, Scope } from '../platform/testing.ts';
import { buildSimulator } from './app.ts';
import { type CheckoutParameters, type ControlClient, createControlClient } from './control-client.ts';

export interface Simulator {
  app: FastifyInstance;
  url: string;
  control: ControlClient;
  /** Calls GET /api_v1 as the platform does. `change` overrides parameters, or removes them with undefined. */
  verify(ref: string, change?: Record<string, string | undefined>): Promise<Response>;
  /** Posts the payer's choice. Does not follow redirects. */
  choose(fields: Record<string, string>): Promise<Response>;
}

/** Starts a simulator that is closed after the test. */
export async function startSimulator(t: Scope, options: SimulatorOptions = {}): Promise<Simulator> {
  const app = buildSimulator(options);
  const url = await app.listen({ port: 0, host: '127.0.0.1' });
  t.after(() => app.close());
  return {
    app,
    url,
    control: createControlClient(url),
    verify(ref, change = {}) {
      const asked = { action: 'get_transaction', receiver: 'prepa', ref, trade_id: '0', amount: '5000', currency: 'XAF', ...change };
      const given = Object.entries(asked).filter((entry): entry is [string, string] => entry[1] !== undefined);
      return fetch(`${url}/api_v1?${new URLSearchParams(given)}`);
    },
    choose: (fields) => fetch(`${url}/sci/choice`, { method: 'POST', body: new URLSearchParams(fields), redirect: 'manual' }),
  };
}

/** Returns the parameters of a checkout of 5,000 XAF. */
export function checkoutOf(ref: string, merchant?: Merchant): CheckoutParameters {
  const addresses = merchant && {
    notification_url: `${merchant.url}/notification`,
    success_url: `${merchant.url}/success`,
    cancel_url: `${merchant.url}/cancel`,
  };
  return { receiver: 'prepa', amount: 5000, currency: 'XAF', ref, memo: 'Inscription 30 jours', ...addresses };
}

/** Returns the parameters as a query string. */
export function queryOf(parameters: CheckoutParameters): string {
  return new URLSearchParams(Object.entries(parameters).map(([name, value]) => [name, String(value)])).toString();
}
