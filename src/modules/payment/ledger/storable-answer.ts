import { writtenPhones } from '../../../shared/phone-numbers.ts';

const maxDepth = 6;
const maxTextLength = 500;
const maxEntries = 50;
/** Of an answer as a whole, as JSON; providers' are a few hundred characters. */
const maxAnswerLength = 8_000;

/** Machines write them as digits in a row. */
const phoneLike = new RegExp([String.raw`\d{8,}`, ...writtenPhones].join('|'), 'gu');

/**
 * A provider's answer as the history keeps it: bounded in each part and as a whole, without telephone numbers (the last four digits stay, for support), and
 * without what PostgreSQL's jsonb refuses. `kept` are our own reference and amount, which stay readable.
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
  // Around our own reference, piece by piece.
  if (piece !== undefined)
    return text
      .split(piece)
      .map((part) => maskPhones(part, kept))
      .join(piece);
  return text.replace(phoneLike, (digits) => `…${digits.replaceAll(/\D/g, '').slice(-4)}`);
}
