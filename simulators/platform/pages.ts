import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { html, page } from './html.ts';

// form-action also holds for where the return leads, which is the merchant's site: any.
const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src data:; connect-src http: https:; form-action 'self' http: https:; base-uri 'none'";

const STYLESHEET = readFileSync(join(import.meta.dirname, 'assets', 'checkout.css'));

/** Delays of an approval that the payer may choose, in seconds. */
export const DELAYS = { '10': '10 secondes', '300': '5 minutes', '1200': '20 minutes' } as const;

export const delayOptions = Object.entries(DELAYS).map(([seconds, label]) => html`<option value="${seconds}">${label}</option>`);

export function sendPage(reply: FastifyReply, statusCode: number, text: string): FastifyReply {
  return reply
    .code(statusCode)
    .header('content-security-policy', POLICY)
    .header('cache-control', 'no-store')
    .type('text/html; charset=utf-8')
    .send(text);
}

/** What the pages look like. */
export function stylesheetRoute(app: FastifyInstance, _options: object, done: () => void): void {
  app.get('/assets/css/checkout.css', (_request, reply) =>
    reply.type('text/css; charset=utf-8').header('cache-control', 'no-cache').send(STYLESHEET),
  );
  done();
}

export function formatAmount(amount: number, currency: string): string {
  // The group separator of French numbers is a narrow space, which the page's text avoids.
  return `${new Intl.NumberFormat('fr-FR').format(amount).replace(/\s/g, ' ')} ${currency}`;
}

/** A refusal of the checkout itself. */
export function refusalPage(message: string): string {
  return page('Paiement impossible', html`<p role="alert">${message}</p>`);
}

/** The address with more parameters in its query. */
export function addressWith(address: string, fields: Record<string, string>): string {
  const url = new URL(address);
  for (const [name, value] of Object.entries(fields)) url.searchParams.set(name, value);
  return url.href;
}
