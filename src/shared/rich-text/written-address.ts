import { MAX_URL_LENGTH } from './bounds.ts';

/**
 * An address as people write it, made ready to be judged as a link's or a picture's: spaces within a web address are written as addresses
 * have them, a telephone number has none, and an international one needs no scheme.
 */
export function writtenAddress(written: string): string {
  const text = written.trim();
  if (text.length > MAX_URL_LENGTH) return text;
  const [, scheme, number = ''] = /^(tel:)?([+\d\s().-]+)$/i.exec(text) ?? [];
  const digits = number.replace(/[^+\d]/g, '');
  if ((scheme ? /^\+?\d{3,15}$/ : /^\+\d{8,15}$/).test(digits)) return `tel:${digits}`;
  const address = text.replace(/^(mailto:)\s+/i, '$1');
  return /^(?:https?:\/\/|mailto:)/i.test(address) ? address.replace(/[^\S\p{Cc}]/gu, encodeURIComponent) : address;
}
