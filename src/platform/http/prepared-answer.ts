import { gzipSync } from 'node:zlib';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { wantsHtml } from './negotiation.ts';
import { acceptsEncoding } from './text-encoding.ts';

interface Prepared {
  page: string;
  message: string;
  /** Returns the value of Retry-After, in seconds; called for each response. */
  retryAfter: () => number;
}

/** Returns a handler that sends a 503 built in advance. It is the same for everybody and needs no database and no template. */
export function preparedAnswer({ page, message, retryAfter }: Prepared) {
  const [html, json] = [Buffer.from(page), Buffer.from(JSON.stringify({ message }))];
  const compressed = gzipSync(html);
  return (request: FastifyRequest, reply: FastifyReply): FastifyReply => {
    reply.code(503).header('retry-after', String(retryAfter())).header('cache-control', 'no-store');
    if (!wantsHtml(request)) return reply.type('application/json; charset=utf-8').send(json);
    reply.type('text/html; charset=utf-8');
    if (!acceptsEncoding(request.headers['accept-encoding'], 'gzip')) return reply.send(html);
    return reply.header('content-encoding', 'gzip').send(compressed);
  };
}
