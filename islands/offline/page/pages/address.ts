import { type ItemKind, itemKinds } from '../../../../src/shared/item-kinds.ts';
import { searchLength, searchWords } from '../../../../src/shared/study/search-page.ts';
import type { ItemRef } from '../../../../src/shared/study-order.ts';
import { type LearnerPath, learnerPaths } from '../../both/learner-paths.ts';

interface OfItem {
  prepa: number;
  discipline: number;
  /** Null when the URL names no item. */
  item: ItemRef | null;
}

/** A page that can be shown from the kept copy. */
export type KeptAddress =
  | { page: 'disciplines'; prepa: number }
  | ({ page: 'study' } & OfItem)
  | ({ page: 'outcome' } & OfItem)
  | ({ page: 'practice'; corrected: boolean; seance?: string } & OfItem)
  | { page: 'search'; prepa: number; q: string; number: number }
  | { page: 'learner'; path: LearnerPath }
  /** A session of the day; null: the present one. `prepa` null: of the first prepa with questions. */
  | { page: 'session'; prepa: number | null; id: string | null };

/** Query parameter that sends a request to the network, because the page is not kept. The worker does not answer such a request itself. */
const byNetwork = 'reseau';

export const isByNetwork = ({ searchParams }: URL): boolean => searchParams.has(byNetwork);

/** Returns the URL with the parameter that sends it to the network. */
export function throughNetwork(address: URL): string {
  const url = new URL(address);
  url.searchParams.set(byNetwork, '1');
  return url.pathname + url.search + url.hash;
}

/** Returns the URL without that parameter. */
export function asAsked(address: URL): string {
  const url = new URL(address);
  url.searchParams.delete(byNetwork);
  return url.pathname + url.search + url.hash;
}

const guid = '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}';
const sessionPath = new RegExp(`^/user/seance(?:/(${guid}))?$`);
const seanceIn = (text: string | null) => text !== null && new RegExp(`^${guid}$`).test(text) && { seance: text };

const inPrepa = /^\/user\/prepa\/([1-9]\d{0,9})(?:\/([1-9]\d{0,9})(?:\/(entrainement|suite))?)?$/;

/** Returns the kept page that a URL names; null for every other page. */
export function keptAddress({ pathname, searchParams }: URL): KeptAddress | null {
  if (Object.hasOwn(learnerPaths, pathname)) return { page: 'learner', path: pathname as LearnerPath };
  if (pathname === '/user/recherche') {
    const prepa = idIn(searchParams.get('prepa'));
    const number = searchParams.has('page') ? idIn(searchParams.get('page')) : 1;
    const typed = searchParams.get('q') ?? '';
    // The server refuses such a search with its own message.
    if (prepa === null || number === null || typed.length > searchLength.most) return null;
    return { page: 'search', prepa, q: searchWords(typed), number };
  }
  const session = sessionPath.exec(pathname);
  if (session) return { page: 'session', prepa: idIn(searchParams.get('prepa')), id: session[1] ?? null };
  const [, prepaId, disciplineId, part] = inPrepa.exec(pathname) ?? [];
  if (prepaId === undefined) return null;
  const prepa = Number(prepaId);
  if (disciplineId === undefined) return { page: 'disciplines', prepa };
  const item = itemIn(searchParams);
  if (item === undefined) return null;
  const place = { prepa, discipline: Number(disciplineId), item };
  if (part === 'entrainement')
    return { page: 'practice', ...place, corrected: searchParams.get('corrige') === 'oui', ...seanceIn(searchParams.get('seance')) };
  return { page: part === 'suite' ? 'outcome' : 'study', ...place };
}

/** Returns the item that the query names; null when it names none, undefined when the query is invalid. */
function itemIn(query: URLSearchParams): ItemRef | null | undefined {
  const [type, asked] = [query.get('type'), query.get('item')];
  if (type === null && asked === null) return null;
  const id = idIn(asked);
  return id !== null && itemKinds.includes(type as ItemKind) ? { type: type as ItemKind, id } : undefined;
}

const idIn = (text: string | null): number | null => (text !== null && /^[1-9]\d{0,9}$/.test(text) ? Number(text) : null);
