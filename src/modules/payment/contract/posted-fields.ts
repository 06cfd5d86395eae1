const maxReferenceLength = 84;
const controlCharacters = /\p{Cc}/u;

/** The text fields of a urlencoded or multipart body. Anything else, or a broken body, has no fields. Never throws. */
export async function readPostedFields(body: Buffer, contentType: string | undefined): Promise<URLSearchParams> {
  const type = contentType?.split(';', 1)[0]?.trim().toLowerCase() ?? '';
  if (type === 'application/x-www-form-urlencoded' || type === '') return new URLSearchParams(body.toString('utf8'));
  const fields = new URLSearchParams();
  if (type !== 'multipart/form-data') return fields;
  try {
    const form = await new Response(new Uint8Array(body), { headers: { 'content-type': contentType ?? '' } }).formData();
    for (const [name, value] of form) if (typeof value === 'string') fields.append(name, value);
  } catch {
    // Not the multipart that it says it is: no fields.
  }
  return fields;
}

/** What may be a reference of ours: 1 to 84 characters, no control character; anything else is null. */
export function readReference(value: unknown): string | null {
  if (typeof value !== 'string') return null;
  const reference = value.trim();
  const possible = reference.length > 0 && reference.length <= maxReferenceLength && !controlCharacters.test(reference);
  return possible && reference.isWellFormed() ? reference : null;
}
