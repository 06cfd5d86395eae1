import { Socket } from 'node:net';
import fp from 'fastify-plugin';

/** Largest number of requests of one connection without a complete response. Browsers and nginx wait for each response. */
const maxUnfinished = 8;

/**
 * Closes a connection that pipelines more than 8 requests (decision 083). Node starts all requests of one packet at once, so a thousand
 * would run together. Must be registered before every other onRequest hook.
 */
export const pipelinedRequests = fp(
  async (app) => {
    const unfinished = new WeakMap<Socket, number>();
    app.addHook('onRequest', ({ raw: { socket } }, reply, done) => {
      // An injected request (tests) has no real socket.
      if (!(socket instanceof Socket)) return done();
      const before = unfinished.get(socket) ?? 0;
      // Node still parses the rest of the packet after the socket has been destroyed.
      if (socket.destroyed || before >= maxUnfinished) {
        reply.hijack();
        socket.destroy();
        return;
      }
      unfinished.set(socket, before + 1);
      reply.raw.once('close', () => unfinished.set(socket, (unfinished.get(socket) ?? 1) - 1));
      done();
    });
  },
  { name: 'pipelined-requests' },
);
