import { foldText } from '../../../shared/search-text.ts';
import { presentPrepaCard } from '../../catalogue/index.ts';
import { type EnrolmentRow, type Extension, presentExtension } from '../../enrolment/index.ts';
import { type OpenAttempt, type PaymentProviders, presentOpenAttempt } from '../../payment/index.ts';
import type { OpenPaymentRow } from './catalogue.repository.ts';
import type { PublishedPage } from './published-page.repository.ts';

/** Cards of a page of the dashboard's catalogue; below 992 px a page is a half of it (specification §9). */
export const cataloguePageSize = 10;

export interface CatalogueQuery {
  /** What is searched for, trimmed. */
  q: string;
  /** From 1 on; beyond the last page: the last one. */
  page: number;
  /** Which half of the page a narrow screen shows; the first, when there is no second one. */
  half: 1 | 2;
  pageSize: number;
  /** Whether a catalogue that is read as a whole is shown in pages, too. */
  paged: boolean;
}

/** Prepas whose name or description holds the words as typed, accents and capitals aside (specification §5). */
function searchPrepas<Prepa extends { nom: string; description: string }>(prepas: Prepa[], q: string): Prepa[] {
  const wanted = foldText(q);
  return prepas.filter(({ nom, description }) => foldText(nom).includes(wanted) || foldText(description).includes(wanted));
}

/** What a payment renews, by prepa: an access that a learner has or had. */
export type Renewals = Map<number | null, Extension | null>;

/** Null for what has ended: it opens for as long as a first payment does. */
export const presentRenewals = (enrolments: EnrolmentRow[], now: Date): Renewals =>
  new Map(enrolments.map((row) => [row.prepaId, presentExtension(row, now)]));

/** A catalogue with its search and pages, as the dashboard and /user/preparations show it. */
export function presentCatalogue(
  { prepas, total, found: counted, whole }: PublishedPage,
  renewals: Renewals,
  { q, page, half, pageSize: size, paged }: CatalogueQuery,
) {
  const matching = whole ? searchPrepas(prepas, q) : prepas;
  const found = whole ? matching.length : counted;
  const pageSize = whole && !paged ? Number.POSITIVE_INFINITY : size;
  const pages = Math.max(1, Math.ceil(found / pageSize));
  const current = Math.min(page, pages);
  const first = whole && pages > 1 ? (current - 1) * pageSize : 0;
  const onPage = matching.slice(first, first + pageSize);
  const halves = Math.max(1, Math.ceil(found / (pageSize / 2)));
  const currentHalf = onPage.length > pageSize / 2 ? half : 1;
  const shown = new Set(onPage);
  const otherHalf = new Set(onPage.filter((_, index) => index < pageSize / 2 !== (currentHalf === 1)));
  const narrow = (current - 1) * 2 + currentHalf;
  return {
    q,
    page: current,
    /** Those that have a link; null where others are left out between them. */
    pages: numbered(current, pages),
    /** The pages of a narrow screen, counted through, and which of them it shows. */
    narrow: { page: narrow, pages: numbered(narrow, halves) },
    /** Of all published prepas. */
    total,
    found,
    /** Everything is there: the browser can search and turn pages alone. */
    whole,
    paged: pageSize !== Number.POSITIVE_INFINITY,
    cards: (whole ? prepas : [...shown]).map((prepa) => ({
      ...presentPrepaCard(prepa),
      // In full, since the browser searches it; the style sheet cuts what is shown.
      ...(whole ? { description: prepa.description } : {}),
      active: !!renewals.get(prepa.id),
      ...renewals.get(prepa.id),
      /** See design.md §4, 'One verb for one action'. */
      pays: renewals.has(prepa.id) ? 'Renouveler' : "S'inscrire",
      shown: shown.has(prepa),
      /** In the half that a narrow screen does not show. */
      wideOnly: otherHalf.has(prepa),
    })),
  };
}

/** How far from the page that is shown pages have a link of their own, and how many always have. */
const around = 2;
const maxNumbers = 12;

/** The numbers of pages that have a link: the first, the last, and those around the current one; of few pages all. */
function numbered(current: number, pages: number): (number | null)[] {
  const all = Array.from({ length: pages < 2 ? 0 : Math.min(pages, maxNumbers) }, (_, index) => index + 1);
  if (pages <= maxNumbers) return all;
  const near = Array.from({ length: 2 * around + 1 }, (_, index) => current - around + index).filter(
    (number) => number > 1 && number < pages,
  );
  const gap = (from: number, to: number) => (to - from > 1 ? [null] : []);
  return [1, ...gap(1, near[0] ?? pages), ...near, ...gap(near.at(-1) ?? 1, pages), pages];
}

export type CatalogueView = ReturnType<typeof presentCatalogue>;

/** A learner's open payments by prepa, as the payment dialog looks them up. */
export const presentAttempts = (providers: PaymentProviders, rows: OpenPaymentRow[]): Record<number, OpenAttempt> =>
  Object.fromEntries(rows.map((row) => [row.prepaId, presentOpenAttempt(providers, row)]));
