import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

interface Scope {
  teardown(task: () => unknown): unknown;
}

/** A request received by the provider. */
export interface Asked {
  method: string;
  url: URL;
  headers: IncomingHttpHeaders;
  body: string;
}

export type Answer = (response: ServerResponse, asked: Asked) => void;

export const json =
  (value: unknown, status = 200, headers: Record<string, string> = {}): Answer =>
  (response) =>
    response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(value));

export const status =
  (code: number, headers: Record<string, string> = {}): Answer =>
  (response) =>
    response.writeHead(code, headers).end();

export const html: Answer = (response) => response.end('<!DOCTYPE html><title>Error</title>');

/** Accepts the request and never responds. */
export const silence: Answer = () => {};

/** Starts a provider that uses the responses in turn and repeats the last one. Closed after the test. */
export async function startScripted(t: Scope, answers: Answer[]): Promise<{ asked: Asked[]; baseUrl: string }> {
  const asked: Asked[] = [];
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const { method = '', url = '', headers } = request;
    const got = { method, url: new URL(url, 'http://provider'), headers, body: Buffer.concat(chunks).toString() };
    asked.push(got);
    answers[Math.min(asked.length, answers.length) - 1]?.(response, got);
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  t.teardown(() => {
    server.closeAllConnections();
    server.close();
  });
  return { asked, baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
}

/** Returns a URL where no server listens. */
export async function nowhere(): Promise<string> {
  const gone = createServer().listen(0, '127.0.0.1');
  await once(gone, 'listening');
  const { port } = gone.address() as AddressInfo;
  gone.close();
  await once(gone, 'close');
  return `http://127.0.0.1:${port}`;
}
