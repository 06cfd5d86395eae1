import { once } from 'node:events';
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import type { Test } from 'tap';

interface SlowDocument {
  /** The site's URL through this proxy. */
  url: string;
  /** Sends the next piece of the page; the first is sent at once. Returns false when the page is complete. */
  next(): boolean;
}

/** Starts a proxy that delivers pages in equal pieces on request, as a slow network would; other responses pass unchanged. */
export async function slowDocument(t: Test, site: { url: string }, pieces: number): Promise<SlowDocument> {
  let coming: { response: ServerResponse; left: Buffer; size: number } | undefined;
  const server = createServer(async (incoming, response) => {
    const answer = await forward(site.url, incoming);
    response.writeHead(answer.statusCode ?? 502, answer.headers);
    if (incoming.headers['sec-fetch-dest'] !== 'document' || answer.statusCode !== 200) return void answer.pipe(response);
    const html = await buffer(answer);
    coming = { response, left: html, size: Math.ceil(html.length / pieces) };
    next();
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.teardown(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, next };

  function next(): boolean {
    if (!coming) return false;
    const { response, left, size } = coming;
    response.write(left.subarray(0, size));
    coming.left = left.subarray(size);
    if (coming.left.length > 0) return true;
    response.end();
    coming = undefined;
    return false;
  }
}

async function forward(origin: string, incoming: IncomingMessage): Promise<IncomingMessage> {
  const { host, ...headers } = incoming.headers;
  const outgoing = request(`${origin}${incoming.url}`, { method: incoming.method, headers: { ...headers, 'accept-encoding': 'identity' } });
  incoming.pipe(outgoing);
  const [answer] = (await once(outgoing, 'response')) as [IncomingMessage];
  return answer;
}
