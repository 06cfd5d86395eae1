import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';

export interface Scope {
  after(task: () => unknown): unknown;
}

/** A request received by the merchant's server. */
export interface Received {
  method: string;
  url: string;
  type: string;
  headers: IncomingHttpHeaders;
  /** The body, decoded as UTF-8. */
  body: string;
  /** Resolves when its connection is closed. */
  gone: Promise<unknown>;
}

export interface Merchant {
  url: string;
  received: Received[];
  /** Resolves when `count` requests in total have been received. */
  has(count: number): Promise<Received[]>;
}

/** One listener per connection, however many requests it carries. */
const closings = new WeakMap<Socket, Promise<unknown>>();
function closingOf(socket: Socket): Promise<unknown> {
  const closing = closings.get(socket) ?? once(socket, 'close');
  closings.set(socket, closing);
  return closing;
}

/** Starts a merchant's server that records requests and is closed after the test. `answer` returns the status, or never resolves. */
export async function startMerchant(t: Scope, answer: (request: Received) => number | Promise<number> = () => 200): Promise<Merchant> {
  const received: Received[] = [];
  const waiting = new Map<number, () => void>();
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const { method = '', url = '', headers } = request;
    const got = {
      method,
      url,
      type: headers['content-type'] ?? '',
      headers,
      body: Buffer.concat(chunks).toString(),
      gone: closingOf(request.socket),
    };
    received.push(got);
    waiting.get(received.length)?.();
    response.writeHead(await answer(got)).end();
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  t.after(() => {
    server.closeAllConnections();
    server.close();
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    received,
    has: async (count) => {
      if (received.length < count) await new Promise<void>((resolve) => waiting.set(count, resolve));
      return received;
    },
  };
}
