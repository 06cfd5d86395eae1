import { storableAnswer } from '../../payment/index.ts';

/**
 * What a notification said, as text for a person: JSON and forms field by field, so that a telephone number is recognised however it was
 * encoded; anything else as it stands. Bounded, without telephone numbers; shown as text, never as HTML.
 * @param bytes as they came, or their beginning
 * @param kept our own reference and amount, which stay readable
 */
export function readableBody(bytes: Buffer, contentType: string, kept: readonly string[]): string {
  const text = bytes.toString('utf8');
  return fieldByField(text, contentType, kept) ?? String(storableAnswer(text, kept));
}

function fieldByField(text: string, contentType: string, kept: readonly string[]): string | null {
  if (contentType.includes('x-www-form-urlencoded')) {
    const fields = Object.entries(storableAnswer(Object.fromEntries(new URLSearchParams(text)), kept) as Record<string, string>);
    return fields.map(([name, value]) => `${name} = ${value}`).join('\n');
  }
  try {
    return JSON.stringify(storableAnswer(JSON.parse(text), kept), null, 2);
  } catch {
    return null;
  }
}
