import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

/** Characters that a chat program appends to an address from the sentence around it: brackets, full stops, quotation marks, blanks. */
const punctuation = /[\p{P}\p{S}\s\p{Cf}]+$/u;
const word = /^[a-z]+(-[a-z]+)*$/;
/** Route parameters, whose values are kept as typed. */
const value = /^:(\w*id|reference)$/i;

/** A page's route, as segments. */
type Page = readonly string[];

const segmentsOf = (path: string): string[] => path.split('/').slice(1);

/**
 * Returns the pages of the application; call it once all routes are registered. Calls, files and probes are left out, since only programs
 * use them.
 */
export function pagesOf(app: FastifyInstance): Page[] {
  const urls = new Set(app.routeTable.filter(({ method }) => method === 'GET').map(({ url }) => url));
  return [...urls].flatMap((url) => {
    if (url === '/') return [[]];
    const segments = segmentsOf(url);
    const [first = ''] = segments;
    const isPage =
      word.test(first) && !notPages.has(first) && !urls.has(`/api${url}`) && segments.every((one) => word.test(one) || value.test(one));
    return isPage ? [segments] : [];
  });
}

const notPages: ReadonlySet<string> = new Set(['api', 'healthz', 'readyz', 'metrics']);

/**
 * Returns the page address that was probably meant, with the query unchanged: no trailing slashes, fixed segments in lower case, no
 * punctuation after the last segment. Null if no page matches, or if the address is already right.
 */
export function meantAddress(pages: readonly Page[], url: string): string | null {
  const [, path = '', query = ''] = /^(\/[^?]*)(.*)$/s.exec(url) ?? [];
  if (!path.startsWith('/') || /^\/[/\\]/.test(path)) return null;
  const written = segmentsOf(path);
  while (written.at(-1) === '') written.pop();
  const read = written.map(decoded);
  if (read.some((one) => one === null || one === '..')) return null;
  const plain = read.map((one) => (one ?? '').toLowerCase());
  const bare = [...plain];
  while (bare.length > 0 && bare.at(-1)?.replace(punctuation, '') === '') bare.pop();
  const last = bare.pop();
  if (last !== undefined) bare.push(last.replace(punctuation, ''));
  const found = pages
    .flatMap((page) => {
      // A page that ends in a parameter keeps its last segment as typed; only trailing slashes go.
      const words = page.length > 0 && page.at(-1)?.startsWith(':') ? plain : bare;
      const isIt =
        page.length === words.length && page.every((one, place) => (one.startsWith(':') ? written[place] !== '' : one === words[place]));
      return isIt ? [page] : [];
    })
    .toSorted((one, other) => valuesIn(one) - valuesIn(other))[0];
  if (!found) return null;
  const meant = `/${found.map((one, place) => (one.startsWith(':') ? written[place] : one)).join('/')}`;
  return meant === path ? null : `${meant}${query}`;
}

const valuesIn = (page: Page): number => page.filter((one) => one.startsWith(':')).length;

function decoded(segment: string): string | null {
  try {
    return decodeURIComponent(segment);
  } catch {
    return null;
  }
}

/** Redirects a mistyped page address to the page that was meant. @returns whether it did */
export function leadOn(pages: readonly Page[], request: FastifyRequest, reply: FastifyReply): boolean {
  if (request.method !== 'GET' && request.method !== 'HEAD') return false;
  const address = meantAddress(pages, request.url);
  if (address === null) return false;
  reply.header('cache-control', 'no-store').redirect(address, 301);
  return true;
}
