/** Serves the site's pages without style sheets, as the baseline for the time until the text is readable. */
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import type { Site } from '../support/site.ts';
import type { Workshop } from '../support/workshop.ts';

const styles = /<style>[^<]*(?:<(?!\/style)[^<]*)*<\/style>|<link rel="stylesheet"[^>]*>\n?/g;
/** Headers that describe the original body or connection. */
const ofTheBody = new Set(['content-encoding', 'content-length', 'transfer-encoding', 'connection', 'etag', 'set-cookie', 'keep-alive']);

interface Kept {
  status: number;
  headers: Record<string, string>;
  body: Buffer;
}

/**
 * Starts a proxy that serves pages without their styles, and returns its origin. The proxy caches the compressed response for each URL and
 * cookie.
 */
export async function serveUnstyled(workshop: Workshop, site: Site): Promise<string> {
  const kept = new Map<string, Promise<Kept>>();
  const server = createServer(async (request, response) => {
    const key = `${request.url} ${request.headers.cookie}`;
    const answer = kept.get(key) ?? ask(site.origin, request);
    kept.set(key, answer);
    const { status, headers, body } = await answer;
    response.writeHead(status, headers).end(body);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  workshop.teardown(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

async function ask(origin: string, request: IncomingMessage): Promise<Kept> {
  const { accept = '*/*', cookie = '' } = request.headers;
  const answer = await fetch(origin + request.url, { headers: { accept, cookie } });
  const headers = Object.fromEntries([...answer.headers].filter(([name]) => !ofTheBody.has(name)));
  const bytes = Buffer.from(await answer.arrayBuffer());
  if (headers['content-type']?.startsWith('image/')) return { status: answer.status, headers, body: bytes };
  const text = headers['content-type']?.startsWith('text/html') ? bytes.toString().replaceAll(styles, '') : bytes;
  return { status: answer.status, headers: { ...headers, 'content-encoding': 'gzip' }, body: gzipSync(text) };
}
