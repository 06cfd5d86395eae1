/** Returns the page to open after the sign-in: a path of this site, never the address of another site. */
export function localPath(value: unknown, fallback = '/user/dashboard'): string {
  if (typeof value !== 'string' || value.length > 500 || !isLocal(value)) return fallback;
  try {
    const url = new URL(value, 'http://local.invalid');
    const path = `${url.pathname}${url.search}${url.hash}`;
    // Check again: `/.//elsewhere` is normalised to `//elsewhere`, the address of another site.
    return url.host === 'local.invalid' && isLocal(path) ? path : fallback;
  } catch {
    return fallback;
  }
}

/** Returns the given path of this site; null when it is missing or invalid. */
export const readSuite = (value: unknown): string | null => localPath(value, '') || null;

/** Adds the page to open after the sign-in to an address. */
export const withSuite = (address: string, suite: string | null): string =>
  suite === null ? address : `${address}${address.includes('?') ? '&' : '?'}suite=${encodeURIComponent(suite)}`;

const isLocal = (path: string): boolean => /^\/(?![/\\])/.test(path);

/** Returns the landing page with the sign-in open, which leads to `path` afterwards (design §4). */
export function signInAddress(path: string): string {
  return `/?connexion=1&suite=${encodeURIComponent(localPath(path))}`;
}
