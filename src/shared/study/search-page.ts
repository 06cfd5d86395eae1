import { type PlacedItem, presentPlace, studyHref } from './place.ts';

/** Limits of the search text: at most `most` characters, at least `least` letters or digits. */
export const searchLength = { most: 100, least: 2 } as const;

/** Delimiters around a match in a passage: private-use characters, which our texts do not contain. */
export const marked = { start: '\uE000', stop: '\uE001' } as const;
/**
 * Marks of formulas in a passage: one that cannot be written in a line, and delimiters around one that can (`passage_text` in the
 * migrations).
 */
export const formulas = { unwritten: '\uE002', start: '\uE003', stop: '\uE004' } as const;
/** Separates two fragments of a text in one passage. */
export const fragmentDelimiter = ' … ';

export const searchPageSize = 20;
/** Maximum number of result pages: a reader who needs more should search for something else. */
export const maxSearchPages = 5;

export interface SearchHit extends PlacedItem {
  /** Found by its title, but not open to this reader. */
  locked: boolean;
  inCorrige: boolean;
}

/**
 * Returns the typed text without control characters and with single spaces. Soft hyphens and joiners are removed without splitting the
 * word.
 */
export const searchWords = (typed: string): string =>
  typed
    .replaceAll(/\p{Cf}+/gu, '')
    .replaceAll(/[\p{C}\s]+/gu, ' ')
    .trim();

/** Returns whether the text is long enough for a search. */
export const isLongEnough = (words: string): boolean => [...words.matchAll(/[\p{L}\p{N}]/gu)].length >= searchLength.least;

interface Search<Prepa> {
  /** The typed text. */
  q: string;
  /** The learner may read nothing. */
  closed: boolean;
  /** Search in the trial of a prepa, where locked items are listed by title. */
  trial: boolean;
  visitor: boolean;
  /** The prepa that is searched; null: all. */
  prepa: Prepa | null;
  /** Results of this page; `total` counts all pages. */
  found: readonly SearchHit[];
  total: number;
  page: number;
  /** Passages by item id, with `marked` around the matches. */
  passages: ReadonlyMap<number, string>;
  /** A query without result with its slips corrected; null when there is nothing to correct. */
  meant: string | null;
}

export function presentSearch<Prepa>({ q, closed, trial, visitor, prepa, found, total, page, passages, meant }: Search<Prepa>) {
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
    /** 'closed': the learner may read nothing; 'empty': nothing was typed. */
    state,
    trial,
    visitor,
    prepa,
    meant,
    results: found.map((hit) => presentResult(hit, passages.get(hit.id), trial)),
    page,
    ...presentCount(total),
  };
}

/** Returns a result for the template: its place, its address (null if locked), and its passage in pieces (null if there is none). */
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

/** Returns the pieces of a passage; matches have `found: true`. */
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

/** Replaces formulas that are cut off at a fragment's end: half a formula could mean something else. */
const withWholeFormulas = (fragment: string): string => fragment.replaceAll(cut, '[formule]').replaceAll(bounds, '');

/** Returns the text '3 résultats', and the number of result pages. */
function presentCount(total: number) {
  const pages = Math.min(Math.ceil(total / searchPageSize), maxSearchPages);
  const most = maxSearchPages * searchPageSize;
  if (total > most) return { pages, count: `Les ${most} premiers résultats` };
  return { pages, count: total > 1 ? `${total} résultats` : '1 résultat' };
}
