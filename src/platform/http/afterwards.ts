import { finished } from 'node:stream';
import fp from 'fastify-plugin';

declare module 'fastify' {
  interface FastifyReply {
    /** Does `work` once the answer has gone out: how long it takes, and whether there was any, tells the caller nothing. */
    afterwards(work: () => Promise<void>): FastifyReply;
  }
}

/** Work that nobody waits for but the closing of the site. What fails in it is logged under the request's id. */
export const background = fp(
  async (app) => {
    const running = new Set<Promise<void>>();
    app.decorateReply('afterwards', function afterwards(work: () => Promise<void>) {
      const { raw, request } = this;
      // Also after an answer that never arrived.
      const answered = new Promise<void>((resolve) => finished(raw, () => resolve()));
      const done = answered
        .then(work)
        .catch((error: unknown) => request.log.error({ err: error }, 'work after an answer failed'))
        .finally(() => running.delete(done));
      running.add(done);
      return this;
    });
    app.addHook('onClose', async () => {
      await Promise.all(running);
    });
  },
  { name: 'background' },
);
