export type JsonObject = Record<string, unknown>;

/** Largest response body, in bytes. Responses about one payment are far smaller. */
const sizeLimit = 64 * 1024;

/** A JSON object, or the reason why there is none. */
type BoundedJson = { kind: 'json'; value: JsonObject } | { kind: 'unreadable'; cause: string };

/** Reads a response body up to the size limit. @throws the error that interrupts the body */
export async function readBoundedJson(response: Response): Promise<BoundedJson> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of response.body ?? []) {
    size += chunk.byteLength;
    // Leaving the loop cancels the body.
    if (size > sizeLimit) return { kind: 'unreadable', cause: 'answer too long' };
    chunks.push(chunk);
  }
  return readJsonObject(Buffer.concat(chunks));
}

export function readJsonObject(bytes: Buffer): BoundedJson {
  try {
    const value: unknown = JSON.parse(bytes.toString('utf8'));
    return isJsonObject(value) ? { kind: 'json', value } : { kind: 'unreadable', cause: 'not a JSON object' };
  } catch {
    return { kind: 'unreadable', cause: 'not JSON' };
  }
}

export const isJsonObject = (value: unknown): value is JsonObject => typeof value === 'object' && value !== null && !Array.isArray(value);
