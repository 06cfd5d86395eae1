import { type LookupOptions, lookup } from 'node:dns';
import { Agent as HttpAgent, request as httpRequest } from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';
import type { LookupFunction } from 'node:net';
import { isPrivateAddress } from '../../../../platform/settings/production-settings.ts';

/**
 * What became of a message:
 * - `sent`: the service has accepted it;
 * - `gone`: the browser's subscription no longer exists, or leads into a private network;
 * - `refused`: the service is known not to have it, and may accept it later;
 * - `rejected`: the service will never accept it;
 * - `unknown`: the service may have it, but did not respond in time.
 */
export type Outcome = 'sent' | 'gone' | 'refused' | 'rejected' | 'unknown';

interface PushRequest {
  endpoint: string;
  authorization: string;
  body: Buffer;
  /** Time for which the service keeps the message for a browser that is not connected, in seconds. */
  ttlSeconds: number;
  topic: string;
}

export interface Transport {
  deliver(request: PushRequest): Promise<Outcome>;
  close(): void;
}

class PrivateNetworkError extends Error {}

/** Resolves a name for a connection; fails for names that lead to this machine or a private network, also if they did not before. */
const publicLookup: LookupFunction = (hostname, options: LookupOptions, callback) =>
  lookup(hostname, { ...options, all: true }, (error, addresses) => {
    if (error) return callback(error, '', 0);
    if (addresses.some(({ address }) => isPrivateAddress(address))) return callback(new PrivateNetworkError(hostname), '', 0);
    const [first] = addresses;
    return options.all ? callback(null, addresses) : callback(null, first?.address ?? '', first?.family ?? 0);
  });

const outcomeOf = (status: number): Outcome => {
  if (status >= 200 && status < 300) return 'sent';
  if (status === 404 || status === 410) return 'gone';
  return status === 429 || status >= 500 ? 'refused' : 'rejected';
};

/**
 * Opens connections to push services. Redirects are not followed, and response bodies are dropped.
 * @param timeoutMs time limit of a request up to the response's header, in ms
 * @param connections largest number of connections to one service
 */
export function openTransport({ timeoutMs, connections }: { timeoutMs: number; connections: number }): Transport {
  const agents = {
    'https:': new HttpsAgent({ keepAlive: true, maxSockets: connections }),
    'http:': new HttpAgent({ maxSockets: connections }),
  };
  return {
    deliver: ({ endpoint, authorization, body, ttlSeconds, topic }) =>
      new Promise((resolve) => {
        const url = new URL(endpoint);
        const isLocal = url.protocol === 'http:';
        const request = (isLocal ? httpRequest : httpsRequest)(url, {
          method: 'POST',
          agent: agents[isLocal ? 'http:' : 'https:'],
          ...(!isLocal && { lookup: publicLookup }),
          headers: {
            authorization,
            'content-encoding': 'aes128gcm',
            'content-type': 'application/octet-stream',
            'content-length': body.length,
            ttl: String(ttlSeconds),
            topic,
          },
        });
        // Without a connection the service cannot have the message.
        let isConnected = false;
        request.on('socket', (socket) => {
          if (!socket.connecting) isConnected = true;
          socket.once(isLocal ? 'connect' : 'secureConnect', () => {
            isConnected = true;
          });
        });
        const timer = setTimeout(() => request.destroy(new Error('timeout')), timeoutMs);
        request.on('response', (response) => {
          resolve(outcomeOf(response.statusCode ?? 0));
          response.on('error', () => {}).resume();
        });
        request.on('error', (error) => {
          if (error instanceof PrivateNetworkError) resolve('gone');
          else resolve(isConnected ? 'unknown' : 'refused');
        });
        // A body without an end is cut off by the same timer.
        request.on('close', () => clearTimeout(timer));
        request.end(body);
      }),
    close() {
      for (const agent of Object.values(agents)) agent.destroy();
    },
  };
}
