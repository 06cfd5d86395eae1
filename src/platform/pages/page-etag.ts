import { createHash } from 'node:crypto';
import fp from 'fastify-plugin';
import { unchanged } from './unchanged.ts';

/**
 * A page that has not changed costs a 304: a weak ETag over the HTML, before compression, or the page's own. It comes without a policy: the one that the
 * browser keeps with the page names the style in it.
 */
export const pageEtag = fp(
  async (app) => {
    app.addHook('onSend', (request, reply, payload, done) => {
      if (request.method !== 'GET' || reply.statusCode !== 200 || typeof payload !== 'string') return done(null, payload);
      if (!String(reply.getHeader('content-type')).startsWith('text/html')) return done(null, payload);
      const etag = String(reply.getHeader('etag') ?? tagOf(payload));
      reply.header('etag', etag);
      if (!matches(request.headers['if-none-match'], etag)) return done(null, payload);
      unchanged(reply);
      done(null, '');
    });
  },
  { name: 'page-etag' },
);

export const tagOf = (html: string): string => `W/"${createHash('sha1').update(html).digest('base64url')}"`;

/** Whether an `If-None-Match` header names this ETag. */
export function matches(header: string | undefined, etag: string): boolean {
  return header?.split(',').some((candidate) => candidate.trim() === etag) ?? false;
}
