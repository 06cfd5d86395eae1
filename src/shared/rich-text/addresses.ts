import { isWritable, MAX_URL_LENGTH } from './bounds.ts';

// A browser strips tabs and newlines out of an address before it reads the scheme, so that `java\nscript:` is alive:
// nothing with white space or a control character in it counts as an address.
const LINK = /^(?:https?:\/\/|mailto:|tel:)[^\s\p{Cc}]+$/iu;
const REMOTE_IMAGE = /^https?:\/\/[^\s\p{Cc}]+$/iu;
const LOCAL_IMAGE = /^\/media\/[A-Za-z0-9_-][A-Za-z0-9_.-]*(?:\/[A-Za-z0-9_-][A-Za-z0-9_.-]*)*$/;

/** `href` as a link may carry it (specification §5: http, https, mailto, tel), or null. */
export function linkAddress(href: unknown): string | null {
  return accept(href, (address) => LINK.test(address) && URL.canParse(address));
}

/** `src` as an image may carry it (http, https, or a stored image under /media/), or null. */
export function imageAddress(src: unknown): string | null {
  return accept(src, (address) => LOCAL_IMAGE.test(address) || (REMOTE_IMAGE.test(address) && URL.canParse(address)));
}

function accept(value: unknown, rule: (address: string) => boolean): string | null {
  if (typeof value !== 'string') return null;
  const address = value.trim();
  return address.length <= MAX_URL_LENGTH && isWritable(address) && rule(address) ? address : null;
}
