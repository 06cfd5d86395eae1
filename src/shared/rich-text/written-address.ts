import { MAX_URL_LENGTH } from './bounds.ts';

/**
 * Returns an address as typed by a person in a form that can be checked as a link or picture: spaces in a web address are encoded, those in
 * a telephone number are removed, and an international number gets the scheme tel:.
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
