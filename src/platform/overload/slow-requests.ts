import type { IncomingMessage } from 'node:http';
import type { FastifyRequest } from 'fastify';
import fp from 'fastify-plugin';
import { networkOf } from '../limits/network.ts';
import { type HalfSent, HalfSentRequests } from './half-sent-requests.ts';

/** How often the requests that are still being sent are checked, in ms. */
const checkMs = 1_000;

interface Body extends HalfSent {
  raw: IncomingMessage;
}

/**
 * Disconnects clients whose request bodies come too slowly, and bounds how many bodies of one network may be on their way (decision 083). Slow headers are
 * Node's business (request-times.ts).
 */
export const slowRequests = fp(
  async (app) => {
    const halfSent = new HalfSentRequests<Body>();
    const bodies = new WeakMap<FastifyRequest, Body>();
    // As Node does for a request that exceeds requestTimeout: refuseUnreadable answers 408 and closes the connection.
    const disconnect = ({ raw: { socket } }: Body) => {
      const error = Object.assign(new Error('the body comes too slowly'), { code: 'ERR_HTTP_REQUEST_TIMEOUT' });
      app.server.emit('clientError', error, socket);
    };
    const timer = setInterval(() => {
      for (const body of halfSent.overdue(performance.now())) disconnect(body);
    }, checkMs).unref();

    app.addHook('onRequest', (request, _reply, done) => {
      const { raw, headers, ip } = request;
      if (headers['content-length'] === undefined && headers['transfer-encoding'] === undefined) return done();
      const { socket } = raw;
      const bytesBefore = socket.bytesRead;
      const body = {
        raw,
        network: networkOf(ip),
        startedAt: performance.now(),
        receivedBytes: () => socket.bytesRead - bytesBefore,
      };
      const displaced = halfSent.add(body);
      raw.once('close', () => halfSent.remove(body));
      bodies.set(request, body);
      if (displaced) disconnect(displaced);
      done();
    });
    // An injected request, as tests make them, is never closed; a body that is not read to its end goes on coming after the answer.
    app.addHook('onResponse', async (request) => {
      const body = bodies.get(request);
      if (body && request.raw.complete !== false) halfSent.remove(body);
    });
    app.addHook('onClose', async () => clearInterval(timer));
  },
  { name: 'slow-requests' },
);
