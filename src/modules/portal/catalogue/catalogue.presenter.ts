import { foldText } from '../../../shared/search-text.ts';
import { presentPrepaCard } from '../../catalogue/index.ts';
import { type EnrolmentRow, type Extension, presentExtension } from '../../enrolment/index.ts';
import { type OpenAttempt, type PaymentProviders, presentOpenAttempt } from '../../payment/index.ts';
import type { OpenPaymentRow } from './catalogue.repository.ts';
import type { PublishedPage } from './published-page.repository.ts';

/** Cards per page of the dashboard's catalogue; below 992 px half of them are shown (specification §9). */
export const cataloguePageSize = 10;

export interface CatalogueQuery {
  /** The searched text, trimmed. */
  q: string;
  /** From 1; beyond the last page, the last one is shown. */
  page: number;
  /** The half of the page that a narrow screen shows; the first when there is no second one. */
  half: 1 | 2;
  pageSize: number;
  /** Whether a catalogue that is entirely in the page is also shown in pages. */
  paged: boolean;
}

/** Returns prepas whose name or description contains the typed text, ignoring accents and case (specification §5). */
function searchPrepas<Prepa extends { nom: string; description: string }>(prepas: Prepa[], q: string): Prepa[] {
  const wanted = foldText(q);
  return prepas.filter(({ nom, description }) => foldText(nom).includes(wanted) || foldText(description).includes(wanted));
}

/** The effect of a payment by prepa, for prepas in which the learner is or was enrolled. */
export type Renewals = Map<number | null, Extension | null>;

/** Returns the renewals of a learner. Null for an ended access: a payment opens it like a first one. */
export const presentRenewals = (enrolments: EnrolmentRow[], now: Date): Renewals =>
  new Map(enrolments.map((row) => [row.prepaId, presentExtension(row, now)]));

/** Returns the catalogue with its search and pages, for the dashboard and /user/preparations. */
export function presentCatalogue(
  { prepas: published, total, found: counted, whole }: PublishedPage,
  renewals: Renewals,
  { q, page, half, pageSize: size, paged }: CatalogueQuery,
) {
  // Prepas that are open already come last: their learner continues in the first column.
  const isOpen = ({ id }: { id: number }) => Number(!!renewals.get(id));
  const prepas = published.toSorted((one, other) => isOpen(one) - isOpen(other));
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
    /** Page numbers with a link; null marks left out numbers. */
    pages: numbered(current, pages),
    /** The pages of a narrow screen, numbered separately, and the current one. */
    narrow: { page: narrow, pages: numbered(narrow, halves) },
    /** Number of all published prepas. */
    total,
    found,
    /** All prepas are in the page, so the browser can search and turn pages without requests. */
    whole,
    paged: pageSize !== Number.POSITIVE_INFINITY,
    cards: (whole ? prepas : [...shown]).map((prepa) => ({
      ...presentPrepaCard(prepa),
      // The full description, since the browser searches it; the style sheet shortens the shown text.
      ...(whole ? { description: prepa.description } : {}),
      active: !!renewals.get(prepa.id),
      ...renewals.get(prepa.id),
      /** See design.md §4, 'One verb for one action'. */
      pays: renewals.has(prepa.id) ? 'Renouveler' : "S'inscrire",
      shown: shown.has(prepa),
      /** Whether the card is in the half that a narrow screen hides. */
      wideOnly: otherHalf.has(prepa),
    })),
  };
}

/** Distance from the current page within which pages have a link, and the number of pages up to which all have one. */
const around = 2;
const maxNumbers = 12;

/** Returns the page numbers with a link: the first, the last, and those around the current one; all of them when there are few. */
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

/** Returns a learner's open payments by prepa, as the payment dialog needs them. */
export const presentAttempts = (providers: PaymentProviders, rows: OpenPaymentRow[]): Record<number, OpenAttempt> =>
  Object.fromEntries(rows.map((row) => [row.prepaId, presentOpenAttempt(providers, row)]));
