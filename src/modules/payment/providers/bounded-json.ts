/** A provider's answer, read with a time-out and a size limit. */
export type BoundedAnswer =
  | { kind: 'json'; value: Record<string, unknown> }
  | { kind: 'unknown'; cause: string; retryAfterSeconds?: number };

/** No provider's answer about one payment comes near this, in bytes. */
const sizeLimit = 64 * 1024;

/** GETs a JSON object. Time-out, other status than 200, too long, not JSON, not an object: `unknown`. Never throws. */
export async function getBoundedJson(url: URL, timeoutMs: number): Promise<BoundedAnswer> {
  try {
    const response = await fetch(url, {
      headers: { accept: 'application/json' },
      redirect: 'manual',
      // Also ends a body that never does.
      signal: AbortSignal.timeout(timeoutMs),
    });
    if (response.status !== 200) {
      const retryAfterSeconds = readRetryAfter(response);
      await response.body?.cancel();
      return { kind: 'unknown', cause: `HTTP ${response.status}`, ...(retryAfterSeconds ? { retryAfterSeconds } : {}) };
    }
    const text = await readText(response);
    if (text === null) return { kind: 'unknown', cause: 'answer too long' };
    return readObject(text);
  } catch (error) {
    return { kind: 'unknown', cause: describeFailure(error) };
  }
}

async function readText(response: Response): Promise<string | null> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of response.body ?? []) {
    size += chunk.byteLength;
    // Leaving the loop cancels the body.
    if (size > sizeLimit) return null;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

function readObject(text: string): BoundedAnswer {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === 'object' && value !== null && !Array.isArray(value))
      return { kind: 'json', value: value as Record<string, unknown> };
    return { kind: 'unknown', cause: 'not a JSON object' };
  } catch {
    return { kind: 'unknown', cause: 'not JSON' };
  }
}

function readRetryAfter(response: Response): number | null {
  const value = response.headers.get('retry-after');
  return value !== null && /^\d{1,6}$/.test(value) ? Number(value) : null;
}

/** A word for the history, never the address: its query names the receiver. */
function describeFailure(error: unknown): string {
  if (!(error instanceof Error)) return 'failed';
  if (error.name === 'TimeoutError') return 'time-out';
  const cause = error.cause as { code?: unknown } | undefined;
  return typeof cause?.code === 'string' ? cause.code : error.name;
}
