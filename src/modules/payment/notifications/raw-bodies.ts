import type { FastifyInstance } from 'fastify';

/** Largest body, in bytes. Providers post small forms; larger bodies are refused unread. */
const rawBodyLimit = 64 * 1024;

const mediaType = /^[\w!#$%&'*+.^`|~-]+\/[\w!#$%&'*+.^`|~-]+\s*(;|$)/;

/** Makes every body in this scope arrive as raw bytes, whatever its type: signatures are computed over them. */
export function takeRawBodies(app: FastifyInstance): void {
  // Fastify refuses an unreadable media type before it calls any parser.
  app.addHook('onRequest', async (request) => {
    const type = request.headers['content-type'];
    if (type !== undefined && !mediaType.test(type)) request.headers = { 'content-type': 'application/octet-stream' };
  });
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit: rawBodyLimit }, (_request, body, done) => done(null, body));
}
