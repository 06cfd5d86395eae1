import type { FastifyInstance } from 'fastify';

/** Providers post small forms; more is refused unread, in bytes. */
const rawBodyLimit = 64 * 1024;

const mediaType = /^[\w!#$%&'*+.^`|~-]+\/[\w!#$%&'*+.^`|~-]+\s*(;|$)/;

/** In this scope every body, whatever it says it is, arrives as its raw bytes: a signature does not survive parsing. */
export function takeRawBodies(app: FastifyInstance): void {
  // Fastify refuses a media type that it cannot read before it asks any parser.
  app.addHook('onRequest', async (request) => {
    const type = request.headers['content-type'];
    if (type !== undefined && !mediaType.test(type)) request.headers = { 'content-type': 'application/octet-stream' };
  });
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit: rawBodyLimit }, (_request, body, done) => done(null, body));
}
