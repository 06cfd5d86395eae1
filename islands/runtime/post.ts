import type { FieldError } from '../../src/shared/forms/field-errors.ts';

/** Response of one of the site's API calls. The fields present in `body` depend on the call and its status. */
export interface Answer<Body = object> {
  status: number;
  ok: boolean;
  body: Partial<Body> & { message?: string; errors?: FieldError[]; imageError?: string; expired?: boolean };
}

/** Response timeout, in ms. Longer than the server's own timeout for a payment provider. */
const defaultTimeoutMs = 30_000;

/** Calls the site's API, with a JSON body or none. Returns null when no response came; the server may have received the call all the same. */
export async function call<Body>(
  method: 'GET' | 'POST' | 'PUT' | 'DELETE',
  path: string,
  body?: object,
  timeoutMs = defaultTimeoutMs,
): Promise<Answer<Body> | null> {
  try {
    const response = await fetch(path, {
      method,
      headers: { accept: 'application/json', ...(body ? { 'content-type': 'application/json' } : {}) },
      ...(body ? { body: JSON.stringify(body) } : {}),
      signal: AbortSignal.timeout?.(timeoutMs),
    });
    return readAnswer(response.status, await response.text());
  } catch {
    return null;
  }
}

export const post = <Body>(path: string, body: object): Promise<Answer<Body> | null> => call<Body>('POST', path, body);

/** Parses a response. A body that is not a JSON object, such as a proxy's error page, becomes an empty one; the status is kept. */
export function readAnswer<Body>(status: number, text: string): Answer<Body> {
  return { status, ok: status >= 200 && status < 300, body: parse(text) as Answer<Body>['body'] };
}

function parse(text: string): object {
  try {
    const answer: unknown = JSON.parse(text);
    return typeof answer === 'object' && answer !== null ? answer : {};
  } catch {
    return {};
  }
}
