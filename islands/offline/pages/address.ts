import { type ItemKind, itemKinds } from '../../../src/shared/item-kinds.ts';
import { searchLength, searchWords } from '../../../src/shared/study/search-page.ts';
import type { ItemRef } from '../../../src/shared/study-order.ts';

interface OfItem {
  prepa: number;
  discipline: number;
  /** Null: the address names none. */
  item: ItemRef | null;
}

/** A page that is shown of what is kept. */
export type KeptAddress =
  | { page: 'disciplines'; prepa: number }
  | ({ page: 'study' } & OfItem)
  | ({ page: 'outcome' } & OfItem)
  | ({ page: 'practice'; corrected: boolean } & OfItem)
  | { page: 'search'; prepa: number; q: string; number: number }
  | { page: 'again' };

/** In an address: it is to be answered by the network alone, since it is not kept. The worker lets it pass. */
const byNetwork = 'reseau';

export const isByNetwork = ({ searchParams }: URL): boolean => searchParams.has(byNetwork);

/** The same address, from the network. */
export function throughNetwork(address: URL): string {
  const url = new URL(address);
  url.searchParams.set(byNetwork, '1');
  return url.pathname + url.search + url.hash;
}

/** The same address as it is without that. */
export function asAsked(address: URL): string {
  const url = new URL(address);
  url.searchParams.delete(byNetwork);
  return url.pathname + url.search + url.hash;
}

const inPrepa = /^\/user\/prepa\/([1-9]\d{0,9})(?:\/([1-9]\d{0,9})(?:\/(entrainement|suite))?)?$/;

/** What an address of the site asks for of a kept prepa; null for every other page. */
export function keptAddress({ pathname, searchParams }: URL): KeptAddress | null {
  if (pathname === '/user/a-revoir') return { page: 'again' };
  if (pathname === '/user/recherche') {
    const prepa = idIn(searchParams.get('prepa'));
    const number = searchParams.has('page') ? idIn(searchParams.get('page')) : 1;
    const typed = searchParams.get('q') ?? '';
    // What the server refuses, it says itself.
    if (prepa === null || number === null || typed.length > searchLength.most) return null;
    return { page: 'search', prepa, q: searchWords(typed), number };
  }
  const [, prepaId, disciplineId, part] = inPrepa.exec(pathname) ?? [];
  if (prepaId === undefined) return null;
  const prepa = Number(prepaId);
  if (disciplineId === undefined) return { page: 'disciplines', prepa };
  const item = itemIn(searchParams);
  if (item === undefined) return null;
  const place = { prepa, discipline: Number(disciplineId), item };
  if (part === 'entrainement') return { page: 'practice', ...place, corrected: searchParams.get('corrige') === 'oui' };
  return { page: part === 'suite' ? 'outcome' : 'study', ...place };
}

/** Undefined for what names none rightly. */
function itemIn(query: URLSearchParams): ItemRef | null | undefined {
  const [type, asked] = [query.get('type'), query.get('item')];
  if (type === null && asked === null) return null;
  const id = idIn(asked);
  return id !== null && itemKinds.includes(type as ItemKind) ? { type: type as ItemKind, id } : undefined;
}

const idIn = (text: string | null): number | null => (text !== null && /^[1-9]\d{0,9}$/.test(text) ? Number(text) : null);
