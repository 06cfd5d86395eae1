import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { FastifyInstance } from 'fastify';
import { buildSimulator, type SimulatorOptions } from './app.ts';
import { type CheckoutParameters, type ControlClient, createControlClient } from './control-client.ts';

interface Scope {
  after(task: () => unknown): unknown;
}

/** A request that the merchant's server got. */
export interface Received {
  method: string;
  url: string;
  type: string;
  body: string;
  /** Resolves when its connection is closed. */
  gone: Promise<unknown>;
}

export interface Merchant {
  url: string;
  received: Received[];
  /** Resolves when `count` requests have come in all. */
  has(count: number): Promise<Received[]>;
}

/** A merchant's server that records what it gets; `answer` decides the status, or never resolves. Closed after the test. */
export async function startMerchant(t: Scope, answer: (request: Received) => number | Promise<number> = () => 200): Promise<Merchant> {
  const received: Received[] = [];
  const waiting = new Map<number, () => void>();
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const { method = '', url = '', headers } = request;
    const got = {
      method,
      url,
      type: headers['content-type'] ?? '',
      body: Buffer.concat(chunks).toString(),
      gone: once(request.socket, 'close'),
    };
    received.push(got);
    waiting.get(received.length)?.();
    response.writeHead(await answer(got)).end();
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  t.after(() => {
    server.closeAllConnections();
    server.close();
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    received,
    has: async (count) => {
      if (received.length < count) await new Promise<void>((resolve) => waiting.set(count, resolve));
      return received;
    },
  };
}

export interface Simulator {
  app: FastifyInstance;
  url: string;
  control: ControlClient;
  /** GET /api_v1 as the platform asks it; `change` overrides or removes parameters. */
  verify(ref: string, change?: Record<string, string | undefined>): Promise<Response>;
  /** What the payer's browser posts; redirects are not followed. */
  choose(fields: Record<string, string>): Promise<Response>;
}

/** A listening simulator, closed after the test. */
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

/** Parameters of a checkout of 5,000 XAF, with a reference of its own. */
export function checkoutOf(ref: string, merchant?: Merchant): CheckoutParameters {
  const addresses = merchant && {
    notification_url: `${merchant.url}/notification`,
    success_url: `${merchant.url}/success`,
    cancel_url: `${merchant.url}/cancel`,
  };
  return { receiver: 'prepa', amount: 5000, currency: 'XAF', ref, memo: 'Inscription 30 jours', ...addresses };
}

/** The same as a query string. */
export function queryOf(parameters: CheckoutParameters): string {
  return new URLSearchParams(Object.entries(parameters).map(([name, value]) => [name, String(value)])).toString();
}
