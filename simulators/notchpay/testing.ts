import type { FastifyInstance } from 'fastify';
import type { Scope } from '../platform/testing.ts';
import { buildNotchpay, type NotchpayOptions } from './app.ts';
import { type ControlClient, createControlClient, type StartRequest } from './control-client.ts';

export const HASH_KEY = 'hsk_test_sim';

/** An API response. `body` is parsed if it is JSON. */
interface Answer {
  status: number;
  headers: Headers;
  // biome-ignore lint/suspicious/noExplicitAny: a provider's response, which only assertions read
  body: any;
}

export interface Notchpay {
  app: FastifyInstance;
  url: string;
  control: ControlClient;
  /** Calls the provider's API, with the public key unless `headers` overrides it. */
  call(method: string, path: string, body?: object, headers?: Record<string, string>): Promise<Answer>;
  start(request: StartRequest): Promise<Answer>;
  verify(ref: string): Promise<Answer>;
  /** Posts the payer's choice from the checkout page at this address. Does not follow redirects. */
  choose(authorizationUrl: string, fields: Record<string, string>): Promise<Response>;
}

/** Starts a simulator that is closed after the test. */
export async function startNotchpay(t: Scope, options: NotchpayOptions = {}): Promise<Notchpay> {
  const app = buildNotchpay(options);
  const url = await app.listen({ port: 0, host: '127.0.0.1' });
  t.after(() => app.close());

  async function call(method: string, path: string, body?: object, headers: Record<string, string> = {}): Promise<Answer> {
    const type = body && { 'content-type': 'application/json' };
    const response = await fetch(url + path, {
      method,
      headers: { authorization: 'pk_test_sim', ...type, ...headers },
      body: body && JSON.stringify(body),
    });
    const text = await response.text();
    const isJson = response.headers.get('content-type')?.startsWith('application/json');
    return { status: response.status, headers: response.headers, body: isJson ? JSON.parse(text) : text };
  }

  return {
    app,
    url,
    control: createControlClient(url),
    call,
    start: (request) => call('POST', '/payments', request),
    verify: (ref) => call('GET', `/payments/${encodeURIComponent(ref)}`),
    choose: (authorizationUrl, fields) =>
      fetch(`${authorizationUrl}/choice`, { method: 'POST', body: new URLSearchParams(fields), redirect: 'manual' }),
  };
}

/** Returns a start of 5,000 XAF. `merchantUrl` is the site to which the browser returns. */
export function requestOf(reference: string, merchantUrl?: string): StartRequest {
  const callback = merchantUrl && { callback: `${merchantUrl}/success?prepa=7` };
  return { amount: 5000, currency: 'XAF', email: 'eleve@example.cm', description: 'Inscription 30 jours', reference, ...callback };
}

/** Returns the error of a refused control call. */
export const refused = (statusCode: number) => ({ name: 'ControlError', statusCode });
