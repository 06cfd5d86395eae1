/** Response timeout, in ms. */
const timeoutMs = 20_000;

export interface Reply<Body> {
  status: number;
  ok: boolean;
  /** Undefined when the body is not JSON, for example a proxy's error page. */
  body: (Body & { message?: string }) | undefined;
}

interface Options {
  /** Sent as JSON by POST. Without a body the request is a GET. */
  body?: object;
  /** Replaces the default timeout. */
  signal?: AbortSignal;
}

/** Calls `/api/hors-ligne/…` from a page or from the worker. Returns null when no response came or `signal` was aborted. */
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
      // Not a parse error: the connection was lost while the body was read.
      if (error.name !== 'SyntaxError') throw error;
    });
    return { status: response.status, ok: response.ok, body };
  } catch {
    return null;
  }
}
