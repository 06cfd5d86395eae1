import { type Agent, request } from 'node:http';
import type { Visit } from './visit.ts';

/** Timeout, in ms: more than ten times the slowest page. */
const longestMs = 60_000;

interface Answer {
  /** Response time, in ms; for a file, the time to its first byte. */
  ms: number;
  /** Seconds until the request may be repeated; 0 when it was served. */
  retryAfter: number;
}

/**
 * Sends a request as a browser does and reads the response to its end; for a file, to its first byte.
 * @throws Error with the path, when the status is not the visit's, a file has no byte, or no response comes
 */
export function ask(
  { agent, origin }: { agent: Agent; origin: string },
  { path, who, method = 'GET', body, streamed = false, status = 200 }: Visit,
  cookie: string,
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const start = performance.now();
    const answered = (retryAfter = 0) => resolve({ ms: performance.now() - start, retryAfter });
    const fail = (what: string) => reject(new Error(`${method} ${path}, requested by the ${who}, ${what}`));
    const text = body ? JSON.stringify(typeof body === 'function' ? body() : body) : undefined;
    const headers = {
      accept: path.startsWith('/api/') ? 'application/json' : 'text/html',
      'accept-encoding': 'gzip',
      'sec-fetch-site': 'same-origin',
      ...(cookie ? { cookie } : {}),
      ...(text ? { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) } : {}),
    };
    const outgoing = request(`${origin}${path}`, { agent, method, headers }, (response) => {
      const { statusCode = 0 } = response;
      const { location, 'retry-after': retryAfter } = response.headers;
      // A file is closed on purpose after its first byte, so a later error of its stream is not a failure.
      response.on('error', (error) => fail(`broke off: ${error.message}`));
      if (statusCode === 429 && status !== 429) {
        response.resume().on('end', () => answered(Number(retryAfter ?? 1)));
      } else if (statusCode !== status) {
        fail(`answered ${statusCode}${location ? ` to ${location}` : ''}, not ${status}`);
        response.resume();
      } else if (streamed) {
        response.once('data', () => {
          answered();
          response.destroy();
        });
        response.on('end', () => fail('answered a file without a byte'));
      } else response.resume().on('end', () => answered());
    });
    outgoing.setTimeout(longestMs, () => outgoing.destroy(new Error(`no answer within ${longestMs / 1000} s`)));
    outgoing.on('error', (error) => fail(`failed: ${error.message}`)).end(text);
  });
}
