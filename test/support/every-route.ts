import type { TestApp } from './app.ts';

interface Planted {
  prepaId: number;
  disciplineId: number;
  /** Ids of items. */
  items: readonly { kind: string; id: number }[];
  /** Other ids that may stand in addresses: of questions, attempts and so on. */
  otherIds?: readonly (string | number)[];
}

/** Returns every address of a route, with the parts of its path and its query replaced by all that could show a planted word. */
function addressesOf(url: string, { prepaId, disciplineId, items, otherIds = [] }: Planted): string[] {
  const ids = [prepaId, disciplineId, ...items.map(({ id }) => id), ...otherIds];
  const filled = url
    .replace(':prepaId', String(prepaId))
    .replace(':disciplineId', String(disciplineId))
    .replace(':version', '1')
    .replace(':page', '1');
  const paths = filled.includes(':id') ? ids.map((id) => filled.replace(':id', String(id))) : [filled];
  const queries = /:disciplineId|\/entrainement|\/suite/.test(url)
    ? items.flatMap(({ kind, id }) => [`?type=${kind}&item=${id}`, `?type=${kind}&item=${id}&corrige=oui`])
    : [];
  return paths.filter((path) => !/:|\*/.test(path)).flatMap((path) => [path, ...queries.map((query) => path + query)]);
}

/**
 * Reads every address of every GET route as each viewer, as a page and as data.
 * @param viewers cookies by name; '' for a visitor
 * @returns how often each route answered with 200
 */
export async function readEveryRoute(
  app: TestApp['app'],
  planted: Planted,
  viewers: Readonly<Record<string, string>>,
  look: (read: { url: string; address: string; viewer: string; accept: string; body: string }) => void,
): Promise<Map<string, number>> {
  const asked = new Map<string, number>();
  for (const { url } of app.routeTable.filter(({ method, url }) => method === 'GET' && !url.endsWith('/logout')))
    for (const address of addressesOf(url, planted))
      for (const [viewer, cookie] of Object.entries(viewers))
        for (const accept of ['text/html', 'application/json']) {
          const { body, statusCode } = await app.inject({
            method: 'GET',
            url: address,
            headers: { cookie, accept, 'sec-fetch-site': 'same-origin' },
          });
          if (statusCode === 200) asked.set(url, (asked.get(url) ?? 0) + 1);
          look({ url, address, viewer, accept, body });
        }
  return asked;
}
