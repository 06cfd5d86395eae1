import type { FieldError } from '../../src/shared/forms/field-errors.ts';

/** What the site's calls answer; which of the fields depends on the call and on its status. */
export interface Answer<Body = object> {
  status: number;
  ok: boolean;
  body: Partial<Body> & { message?: string; errors?: FieldError[]; expired?: boolean };
}

/** Longer than the server waits for a payment provider, in ms. */
const patience = 30_000;

/** Posts JSON to the site. Null: the network gave no answer, and whether the call arrived is unknown. */
export async function post<Body>(path: string, body: object): Promise<Answer<Body> | null> {
  try {
    const response = await fetch(path, {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'application/json' },
      body: JSON.stringify(body),
      signal: AbortSignal.timeout?.(patience),
    });
    // A proxy's error page is no JSON: its status still counts.
    const answer: unknown = await response.json().catch(() => null);
    return { status: response.status, ok: response.ok, body: typeof answer === 'object' && answer !== null ? answer : {} };
  } catch {
    return null;
  }
}
