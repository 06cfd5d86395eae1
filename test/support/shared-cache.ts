import { request as ask, createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Test } from 'tap';

interface Kept {
  status: number;
  headers: [string, string][];
  body: Buffer;
}

/**
 * Starts a shared HTTP cache in front of a site. It stores what RFC 9111 allows (§3, §5.2.2), by URL, and serves it to later requests.
 * Entries do not expire during a test.
 */
export async function openSharedCache(t: Test, site: string) {
  const kept = new Map<string, Kept>();
  const asked: string[] = [];
  const handedOn: string[] = [];
  const server = createServer(async (request, response) => {
    const url = request.url ?? '/';
    asked.push(url);
    const known = request.method === 'GET' ? kept.get(url) : undefined;
    if (known) handedOn.push(url);
    const answer = known ?? (await forward(site, url, request.method ?? 'GET', request.headers));
    if (!known && request.method === 'GET' && mayKeep(answer)) kept.set(url, answer);
    response.writeHead(answer.status, answer.headers.flat()).end(answer.body);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.teardown(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    /** URLs requested by browsers. */
    asked,
    /** Returns the URLs of the stored responses. */
    kept: () => [...kept.keys()],
    /** URLs served from the cache without a request to the site. */
    handedOn,
  };
}

function mayKeep({ status, headers }: Kept): boolean {
  const of = (wanted: string) => headers.find(([name]) => name.toLowerCase() === wanted)?.[1] ?? '';
  const control = of('cache-control');
  return (
    status === 200 &&
    !/\b(private|no-store|no-cache)\b/.test(control) &&
    /\b(public|s-maxage|max-age)\b/.test(control) &&
    of('vary') !== '*'
  );
}

function forward(site: string, url: string, method: string, headers: NodeJS.Dict<string | string[]>): Promise<Kept> {
  const sent = Object.entries(headers).filter(([name]) => !['connection', 'host'].includes(name));
  return new Promise((resolve, reject) => {
    const asked = ask(new URL(url, site), { method, headers: { ...Object.fromEntries(sent), host: String(headers.host) } }, (answer) => {
      const parts: Buffer[] = [];
      answer.on('data', (part: Buffer) => parts.push(part));
      answer.on('end', () => {
        const raw = answer.rawHeaders;
        const pairs = raw.flatMap((name, index): [string, string][] =>
          index % 2 === 0 && !/^(connection|keep-alive|transfer-encoding|content-length)$/i.test(name)
            ? [[name, raw[index + 1] ?? '']]
            : [],
        );
        resolve({ status: answer.statusCode ?? 502, headers: pairs, body: Buffer.concat(parts) });
      });
    });
    asked.on('error', reject);
    asked.end();
  });
}
