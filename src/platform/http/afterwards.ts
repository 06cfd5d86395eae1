import { finished } from 'node:stream';
import fp from 'fastify-plugin';

declare module 'fastify' {
  interface FastifyReply {
    /** Runs `work` once the response has been sent, so that the response time does not reveal whether work was scheduled. */
    afterwards(work: () => Promise<void>): FastifyReply;
  }
}

/** Runs work after responses. Closing the server waits for it; a failure is logged under the request's id. */
export const background = fp(
  async (app) => {
    const running = new Set<Promise<void>>();
    app.decorateReply('afterwards', function afterwards(work: () => Promise<void>) {
      const { raw, request } = this;
      // Also runs the work after a response that did not reach the client.
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
