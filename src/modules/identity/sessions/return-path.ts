/** Where a person goes on after signing in: a path of this site, never another one's address. */
export function localPath(value: unknown, fallback = '/user/dashboard'): string {
  if (typeof value !== 'string' || value.length > 500 || !isLocal(value)) return fallback;
  try {
    const url = new URL(value, 'http://local.invalid');
    const path = `${url.pathname}${url.search}${url.hash}`;
    // Once more: `/.//elsewhere` becomes `//elsewhere`, another site's address.
    return url.host === 'local.invalid' && isLocal(path) ? path : fallback;
  } catch {
    return fallback;
  }
}

/** The same where nothing asked for is nothing to keep: null for what is missing or no path of this site. */
export const readSuite = (value: unknown): string | null => localPath(value, '') || null;

/** An address that keeps where a person goes on. */
export const withSuite = (address: string, suite: string | null): string =>
  suite === null ? address : `${address}${address.includes('?') ? '&' : '?'}suite=${encodeURIComponent(suite)}`;

const isLocal = (path: string): boolean => /^\/(?![/\\])/.test(path);

/** The landing page with the sign-in open, coming back to `path` afterwards (design §4). */
export function signInAddress(path: string): string {
  return `/?connexion=1&suite=${encodeURIComponent(localPath(path))}`;
}
