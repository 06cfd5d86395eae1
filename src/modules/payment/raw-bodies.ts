import type { FastifyInstance } from 'fastify';

/** Providers post small forms; more is refused unread, in bytes. */
export const rawBodyLimit = 64 * 1024;

/** In this scope every body, whatever it says it is, arrives as its raw bytes: a signature does not survive parsing. */
export function takeRawBodies(app: FastifyInstance): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit: rawBodyLimit }, (_request, body, done) => done(null, body));
}
