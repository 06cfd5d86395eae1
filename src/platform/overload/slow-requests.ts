import type { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import fp from 'fastify-plugin';
import { networkOf } from '../limits/network.ts';
import { type HalfSent, HalfSentRequests } from './half-sent-requests.ts';

/** How often the requests that are still being sent are checked, in ms. */
const checkMs = 1_000;

interface Body extends HalfSent {
  raw: IncomingMessage;
}

/**
 * Disconnects clients whose request bodies arrive too slowly, and limits the number of unfinished bodies per network (decision 083). Slow
 * headers are handled by Node (request-times.ts).
 */
export const slowRequests = fp(
  async (app) => {
    const halfSent = new HalfSentRequests<Body>();
    // Node does the same when requestTimeout is exceeded: refuseUnreadable responds 408 and closes the connection.
    const disconnect = ({ raw: { socket } }: Body) => {
      const error = Object.assign(new Error('the body comes too slowly'), { code: 'ERR_HTTP_REQUEST_TIMEOUT' });
      app.server.emit('clientError', error, socket);
    };
    const timer = setInterval(() => {
      for (const body of halfSent.overdue(performance.now())) disconnect(body);
    }, checkMs).unref();

    app.addHook('onRequest', (request, _reply, done) => {
      const { raw, headers, ip } = request;
      const { socket } = raw;
      const hasBody = headers['content-length'] !== undefined || headers['transfer-encoding'] !== undefined;
      // An injected request (tests) has no real socket.
      if (!hasBody || !(socket instanceof Socket)) return done();
      const bytesBefore = socket.bytesRead;
      const body = {
        raw,
        network: networkOf(ip),
        startedAt: performance.now(),
        receivedBytes: () => socket.bytesRead - bytesBefore,
      };
      const displaced = halfSent.add(body);
      raw.once('close', () => halfSent.remove(body));
      if (displaced) disconnect(displaced);
      done();
    });
    app.addHook('onClose', async () => clearInterval(timer));
  },
  { name: 'slow-requests' },
);
