import { writtenPhones } from '../../../shared/phone-numbers.ts';

const maxDepth = 6;
const maxTextLength = 500;
const maxEntries = 50;
/** Longest stored answer, as JSON, in characters. Real answers have a few hundred. */
const maxAnswerLength = 8_000;

/** Matches telephone numbers. Machines write them as consecutive digits. */
const phoneLike = new RegExp([String.raw`\d{8,}`, ...writtenPhones].join('|'), 'gu');

/**
 * Returns a provider's answer for the history: limited in each part and in total, with telephone numbers reduced to their last four
 * digits (for support), and without characters that jsonb refuses.
 * @param kept our own reference and amount, which stay readable
 */
export function storableAnswer(raw: unknown, kept: readonly string[]): unknown {
  const answer = storableValue(raw, kept, 0);
  const text = JSON.stringify(answer);
  return text.length <= maxAnswerLength ? answer : { partOf: text.slice(0, maxAnswerLength).toWellFormed() };
}

function storableValue(raw: unknown, kept: readonly string[], depth: number): unknown {
  if (typeof raw === 'string') return storableText(raw, kept);
  if (typeof raw === 'number') {
    const text = String(raw);
    const masked = maskPhones(text, kept);
    return masked === text ? raw : masked;
  }
  if (typeof raw !== 'object' || raw === null) return typeof raw === 'boolean' ? raw : null;
  if (depth >= maxDepth) return '[…]';
  if (Array.isArray(raw)) return raw.slice(0, maxEntries).map((value) => storableValue(value, kept, depth + 1));
  return Object.fromEntries(
    Object.entries(raw)
      .slice(0, maxEntries)
      .map(([name, value]) => [storableText(name, kept), storableValue(value, kept, depth + 1)]),
  );
}

function storableText(text: string, kept: readonly string[]): string {
  return maskPhones(text.slice(0, maxTextLength), kept).replaceAll('\0', '').toWellFormed();
}

function maskPhones(text: string, kept: readonly string[]): string {
  const pieces = kept.filter((piece) => piece.length >= 8 && text.includes(piece));
  const [piece] = pieces;
  // Keep our own reference: mask the parts of the text around it.
  if (piece !== undefined)
    return text
      .split(piece)
      .map((part) => maskPhones(part, kept))
      .join(piece);
  return text.replace(phoneLike, (digits) => `…${digits.replaceAll(/\D/g, '').slice(-4)}`);
}
