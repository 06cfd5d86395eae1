import { createHash } from 'node:crypto';
import fp from 'fastify-plugin';
import { unchanged } from './unchanged.ts';

/**
 * Answers 304 for an unchanged page, by a weak ETag over the uncompressed HTML or the page's own ETag. The 304 has no content security
 * policy: the browser keeps the policy stored with the page, which names the hash of its style.
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

/** Returns whether an `If-None-Match` header names this ETag. */
export function matches(header: string | undefined, etag: string): boolean {
  return header?.split(',').some((candidate) => candidate.trim() === etag) ?? false;
}
