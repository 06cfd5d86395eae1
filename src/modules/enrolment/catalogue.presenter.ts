import { foldText } from '../../shared/search-text.ts';
import { type PrepaRow, presentPrepaCard } from '../catalogue/index.ts';

/** Cards of a page of the dashboard's catalogue; the browser shows 5 below 992 px (specification §9). */
export const cataloguePageSize = 10;

/**
 * Up to so many letters of names and descriptions the whole catalogue stands in the page, and the browser searches it without asking; a
 * longer one would cost more bytes than a search.
 */
const wholeCatalogueLetters = 12_000;
const wholeCatalogueCards = 60;

export interface CatalogueQuery {
  /** What is searched for, trimmed. */
  q: string;
  /** From 1 on; beyond the last page: the last one. */
  page: number;
  /** Infinity: everything stands on one page. */
  pageSize: number;
}

/** Prepas whose name or description holds the words as typed, accents and capitals aside (specification §5). */
export function searchPrepas<Prepa extends { nom: string; description: string }>(prepas: Prepa[], q: string): Prepa[] {
  const wanted = foldText(q);
  return prepas.filter(({ nom, description }) => foldText(nom).includes(wanted) || foldText(description).includes(wanted));
}

/** A catalogue with its search and pages, as the dashboard and /user/preparations show it. */
export function presentCatalogue(prepas: PrepaRow[], enrolled: Set<number | null>, { q, page, pageSize }: CatalogueQuery) {
  const found = searchPrepas(prepas, q);
  const pages = Math.max(1, Math.ceil(found.length / pageSize));
  const current = Math.min(page, pages);
  const first = pages > 1 ? (current - 1) * pageSize : 0;
  const shown = new Set(found.slice(first, first + pageSize));
  const letters = prepas.reduce((sum, { nom, description }) => sum + nom.length + description.length, 0);
  const whole = prepas.length <= wholeCatalogueCards && letters <= wholeCatalogueLetters;
  return {
    q,
    page: current,
    pages,
    /** Of all published prepas. */
    total: prepas.length,
    found: found.length,
    /** Everything is there: the browser can search and turn pages alone. */
    whole,
    paged: pageSize !== Number.POSITIVE_INFINITY,
    cards: (whole ? prepas : [...shown]).map((prepa) => ({
      ...presentPrepaCard(prepa),
      // What a search looks at, and the style sheet cuts.
      ...(whole ? { description: prepa.description } : {}),
      enrolled: enrolled.has(prepa.id),
      shown: shown.has(prepa),
    })),
  };
}

export type CatalogueView = ReturnType<typeof presentCatalogue>;
