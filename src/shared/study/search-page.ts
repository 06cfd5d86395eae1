import { type PlacedItem, presentPlace, studyHref } from './place.ts';

/** Of what is typed, in characters: at most, and letters or digits at least. */
export const searchLength = { most: 100, least: 2 } as const;

/** Around what was found in a passage: characters of the private area, which no text of ours needs. */
export const marked = { start: '\uE000', stop: '\uE001' } as const;
/** In a passage, in the place of a formula that cannot be written in a line, and around one that is (`passage_text` in the migrations). */
export const formulas = { unwritten: '\uE002', start: '\uE003', stop: '\uE004' } as const;
/** Between two places of a text in one passage. */
export const fragmentDelimiter = ' … ';

/** Results on one page of them. */
export const searchPageSize = 20;
/** Pages, at most: whoever has read so many looks for something else. */
export const maxSearchPages = 5;

export interface SearchHit extends PlacedItem {
  /** Found in the title, and not this reader's to open. */
  locked: boolean;
  inCorrige: boolean;
}

/** What is typed, without control characters and with single spaces; a soft hyphen or a joiner parts no word. */
export const searchWords = (typed: string): string =>
  typed
    .replaceAll(/\p{Cf}+/gu, '')
    .replaceAll(/[\p{C}\s]+/gu, ' ')
    .trim();

/** Whether it is enough to search for. */
export const isLongEnough = (words: string): boolean => [...words.matchAll(/[\p{L}\p{N}]/gu)].length >= searchLength.least;

interface Search<Prepa> {
  /** What was typed. */
  q: string;
  /** Nothing that the learner may read. */
  closed: boolean;
  /** In the trial of the prepa: locked items stand there by their title. */
  trial: boolean;
  visitor: boolean;
  /** When one prepa is searched. */
  prepa: Prepa | null;
  /** Those of one page; `total` of all pages. */
  found: readonly SearchHit[];
  total: number;
  page: number;
  /** By the item's id, with `marked` around what was found. */
  passages: ReadonlyMap<number, string>;
}

/** A search as `content/search` shows it. */
export function presentSearch<Prepa>({ q, closed, trial, visitor, prepa, found, total, page, passages }: Search<Prepa>) {
  const state: 'closed' | 'empty' | 'short' | 'none' | 'found' = closed
    ? 'closed'
    : q === ''
      ? 'empty'
      : !isLongEnough(q)
        ? 'short'
        : found.length === 0
          ? 'none'
          : 'found';
  return {
    title: q ? `Recherche : ${q}` : 'Recherche',
    q,
    /** 'closed': there is nothing that the learner may read; 'empty': nothing typed. */
    state,
    trial,
    visitor,
    prepa,
    results: found.map((hit) => presentResult(hit, passages.get(hit.id), trial)),
    page,
    ...presentCount(total),
  };
}

/** A result for the template: where it stands, its address unless it is locked, and its passage in pieces; '' and nothing are none. */
function presentResult(row: SearchHit, passage: string | undefined, trial: boolean) {
  const { id, kind, titre, prepaId, disciplineId, locked, inCorrige } = row;
  const base = trial ? `/user/prepa/consultation/${prepaId}/${disciplineId}` : studyHref(prepaId, disciplineId);
  return {
    place: presentPlace(row),
    titre,
    href: locked ? null : `${base}?type=${kind}&item=${id}`,
    inCorrige,
    passage: locked || !passage ? null : pieces(passage),
  };
}

/** The pieces of a passage, those that were found marked. */
function pieces(passage: string): { text: string; found: boolean }[] {
  return passage
    .split(fragmentDelimiter)
    .map(withWholeFormulas)
    .join(fragmentDelimiter)
    .split(marked.start)
    .flatMap((part, index) => {
      const [found = '', rest] = index === 0 ? ['', part] : part.split(marked.stop);
      return [
        { text: found, found: true },
        { text: rest ?? '', found: false },
      ];
    })
    .filter(({ text }) => text !== '');
}

const { unwritten, start, stop } = formulas;
const cut = new RegExp(`${unwritten}|^[^${start}${stop}]*${stop}|${start}[^${stop}]*$`, 'g');
const bounds = new RegExp(`[${start}${stop}]`, 'g');

/** Half a formula would say something else. */
const withWholeFormulas = (fragment: string): string => fragment.replaceAll(cut, '[formule]').replaceAll(bounds, '');

/** '3 résultats', and how many pages of them are shown. */
function presentCount(total: number) {
  const pages = Math.min(Math.ceil(total / searchPageSize), maxSearchPages);
  const most = maxSearchPages * searchPageSize;
  if (total > most) return { pages, count: `Les ${most} premiers résultats` };
  return { pages, count: total > 1 ? `${total} résultats` : '1 résultat' };
}
