import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { html, page } from './html.ts';

// form-action also applies to redirects after a form, and the merchant's site may have any origin.
const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src data:; connect-src http: https:; form-action 'self' http: https:; base-uri 'none'";

const STYLESHEET = readFileSync(join(import.meta.dirname, 'assets', 'checkout.css'));

/** Delays that the payer can choose for an approval, in seconds. */
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

/** Serves the stylesheet of the pages. */
export function stylesheetRoute(app: FastifyInstance, _options: object, done: () => void): void {
  app.get('/assets/css/checkout.css', (_request, reply) =>
    reply.type('text/css; charset=utf-8').header('cache-control', 'no-cache').send(STYLESHEET),
  );
  done();
}

export function formatAmount(amount: number, currency: string): string {
  // Intl's group separator is a narrow no-break space; the page uses normal spaces.
  return `${new Intl.NumberFormat('fr-FR').format(amount).replace(/\s/g, ' ')} ${currency}`;
}

/** Returns the page shown when a checkout is refused. */
export function refusalPage(message: string): string {
  return page('Paiement impossible', html`<p role="alert">${message}</p>`);
}

/** Returns the address with these query parameters set. */
export function addressWith(address: string, fields: Record<string, string>): string {
  const url = new URL(address);
  for (const [name, value] of Object.entries(fields)) url.searchParams.set(name, value);
  return url.href;
}
