const maxReferenceLength = 84;
const controlCharacters = /\p{Cc}/u;

/** Returns the text fields of a urlencoded or multipart body; no fields for any other or an invalid body. Never throws. */
export async function readPostedFields(body: Buffer, contentType: string | undefined): Promise<URLSearchParams> {
  const type = contentType?.split(';', 1)[0]?.trim().toLowerCase() ?? '';
  if (type === 'application/x-www-form-urlencoded' || type === '') return new URLSearchParams(body.toString('utf8'));
  const fields = new URLSearchParams();
  if (type !== 'multipart/form-data') return fields;
  try {
    const form = await new Response(new Uint8Array(body), { headers: { 'content-type': contentType ?? '' } }).formData();
    for (const [name, value] of form) if (typeof value === 'string') fields.append(name, value);
  } catch {
    // The body is not valid multipart: no fields.
  }
  return fields;
}

/** Returns a value that may be one of our references (1 to 84 characters, no control characters); otherwise null. */
export function readReference(value: unknown): string | null {
  if (typeof value !== 'string') return null;
  const reference = value.trim();
  const possible = reference.length > 0 && reference.length <= maxReferenceLength && !controlCharacters.test(reference);
  return possible && reference.isWellFormed() ? reference : null;
}
