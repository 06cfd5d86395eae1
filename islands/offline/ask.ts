/** For the server to answer, in ms. */
const timeoutMs = 20_000;

export interface Reply<Body> {
  status: number;
  ok: boolean;
  /** Without one when it is no JSON, as a proxy's page is. */
  body: (Body & { message?: string }) | undefined;
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
  { body: sent, signal = AbortSignal.timeout(timeoutMs) }: Options = {},
): Promise<Reply<Body> | null> {
  try {
    const response = await fetch(`/api/hors-ligne/${path}`, {
      ...(sent && { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(sent) }),
      signal,
    });
    const body: Reply<Body>['body'] = await response.json().catch((error: Error) => {
      // The network gave up meanwhile.
      if (error.name !== 'SyntaxError') throw error;
    });
    return { status: response.status, ok: response.ok, body };
  } catch {
    return null;
  }
}
