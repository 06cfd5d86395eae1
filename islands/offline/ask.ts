/** For the server to answer, in ms. */
const timeoutMs = 20_000;

export interface Reply<Body> {
  status: number;
  ok: boolean;
  /** Null when it is no JSON, as a proxy's page is. */
  body: Body | null;
  message: string | null;
}

interface Options {
  /** Sent as JSON by POST; without one it is a GET. */
  body?: object;
  /** Instead of the usual time. */
  signal?: AbortSignal;
}

/** Calls the server from a page or from the worker. Null: the network gave no answer, or `signal` gave up. */
export async function ask<Body>(
  path: string,
  { body, signal = AbortSignal.timeout(timeoutMs) }: Options = {},
): Promise<Reply<Body> | null> {
  try {
    const response = await fetch(`/api/hors-ligne/${path}`, {
      headers: { accept: 'application/json', ...(body && { 'content-type': 'application/json' }) },
      ...(body && { method: 'POST', body: JSON.stringify(body) }),
      signal,
    });
    const found = parse(await response.text());
    return { status: response.status, ok: response.ok, body: found as Body | null, message: found?.message ?? null };
  } catch {
    return null;
  }
}

function parse(text: string): { message?: string } | null {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
