import { createHash } from 'node:crypto';
import fp from 'fastify-plugin';

/** A page that has not changed costs a 304: a weak ETag over the HTML, before compression. */
export const pageEtag = fp(
  async (app) => {
    app.addHook('onSend', async (request, reply, payload) => {
      if (request.method !== 'GET' || reply.statusCode !== 200 || typeof payload !== 'string' || reply.hasHeader('etag')) return payload;
      if (!String(reply.getHeader('content-type')).startsWith('text/html')) return payload;
      const etag = `W/"${createHash('sha1').update(payload).digest('base64url')}"`;
      reply.header('etag', etag);
      if (!matches(request.headers['if-none-match'], etag)) return payload;
      reply.code(304).removeHeader('content-type');
      return '';
    });
  },
  { name: 'page-etag' },
);

/** Whether an `If-None-Match` header names this ETag. */
export function matches(header: string | undefined, etag: string): boolean {
  return header?.split(',').some((candidate) => candidate.trim() === etag) ?? false;
}
