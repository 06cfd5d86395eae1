import { gzipSync } from 'node:zlib';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { wantsHtml } from '../http/negotiation.ts';
import { acceptsEncoding } from '../http/text-encoding.ts';

const message = 'Beaucoup de candidats sont là en ce moment. Réessayez dans quelques secondes.';

/** Seconds after which to come back, drawn for each: those who are refused together do not come back together. */
const retryAfter = { from: 3, to: 10 };

/** The answer to what is refused, made ahead: it is nobody's, and no statement and no template stands behind it. @param page of one's own, in HTML */
export function busyAnswer(page: string) {
  const [html, json] = [Buffer.from(page), Buffer.from(JSON.stringify({ message }))];
  const compressed = gzipSync(html);
  return (request: FastifyRequest, reply: FastifyReply): FastifyReply => {
    const seconds = retryAfter.from + Math.floor(Math.random() * (retryAfter.to - retryAfter.from + 1));
    reply.code(503).header('retry-after', String(seconds)).header('cache-control', 'no-store');
    if (!wantsHtml(request)) return reply.type('application/json; charset=utf-8').send(json);
    reply.type('text/html; charset=utf-8');
    if (!acceptsEncoding(request.headers['accept-encoding'], 'gzip')) return reply.send(html);
    return reply.header('content-encoding', 'gzip').send(compressed);
  };
}
