import type { FieldError } from '../../src/shared/forms/field-errors.ts';

/** What the site's calls answer; which of the fields depends on the call and on its status. */
export interface Answer<Body = object> {
  status: number;
  ok: boolean;
  body: Partial<Body> & { message?: string; errors?: FieldError[]; imageError?: string; expired?: boolean };
}

/** Longer than the server waits for a payment provider. */
const defaultTimeoutMs = 30_000;

/** Calls the site with a JSON body or none. Null: the network gave no answer, and whether the call arrived is unknown. */
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

/** Posts JSON to the site. */
export const post = <Body>(path: string, body: object): Promise<Answer<Body> | null> => call<Body>('POST', path, body);

/** A proxy's error page is no JSON: its status still counts. */
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
