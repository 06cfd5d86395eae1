import { storableAnswer } from '../../payment/index.ts';

/**
 * Returns a notification's body as readable text. JSON and forms are split into fields, so that telephone numbers are recognised in
 * any encoding; other bodies stay as they are.
 * The text has a limited length and no telephone numbers. Show it as text, never as HTML.
 * @param bytes the body or its beginning
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
