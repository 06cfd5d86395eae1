/** For the server to answer, in ms. */
const timeoutMs = 20_000;

export interface Reply<Body> {
  status: number;
  ok: boolean;
  /** Null when it is no JSON, as a proxy's page is. */
  body: Body | null;
  message: string | undefined;
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
      ...(body && { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
      signal,
    });
    const found = parse(await response.text());
    const { status, ok } = response;
    return { status, ok, body: found as Body | null, message: found?.message };
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
