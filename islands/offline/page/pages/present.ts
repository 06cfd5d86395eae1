import { keepingLink } from '../../../../src/shared/offline/keeping-link.ts';
import { presentDisciplineCard } from '../../../../src/shared/study/cards.ts';
import { presentOpenPrepa } from '../../../../src/shared/study/disciplines-page.ts';
import { presentOutcome } from '../../../../src/shared/study/outcome.ts';
import { studyHref } from '../../../../src/shared/study/place.ts';
import { presentPractice } from '../../../../src/shared/study/practice.ts';
import { presentProgress, toReviewPage } from '../../../../src/shared/study/progress.ts';
import { maxSearchPages, presentSearch, searchPageSize } from '../../../../src/shared/study/search-page.ts';
import { presentStudyPage, type StudyProps } from '../../../../src/shared/study/study-page.ts';
import { sessionOfExercise } from '../session/current.ts';
import type { KeptAddress } from './address.ts';
import { itemsIn, type KeptPrepa, outlineOf, placed, progressOf, resumeOf, toReviewOf } from './kept-prepa.ts';
import { learnerPages } from './learner-pages.ts';
import type { CompiledView } from './render-view.ts';
import { correctKept, searchKept } from './search.ts';

/** A page made from the kept copy. */
export interface KeptPage {
  view: string;
  title: string;
  locals: Record<string, unknown>;
  /** Props and slots of the study island, which the browser renders itself. */
  study?: { props: StudyProps; slots: Record<string, string> };
  /** Identifies a page that changes while it is used, so that its own changes do not make it a newer one. */
  mark?: string;
  /** Views that only this page needs. */
  views?: Readonly<Record<string, CompiledView>>;
  /** The item that the page opens. `asked`: the URL names the item. */
  opened?: { item: number; asked: boolean };
}

/** A page, a redirect, or null when the page is not kept. */
export type Presented = KeptPage | { elsewhere: string } | null;

/**
 * Returns the content of a kept page. @param prepas the kept prepas that may be read  @param studyIsland HTML of the study island's element
 * @param now in ms
 */
export function presentKept(
  address: Exclude<KeptAddress, { page: 'session' }>,
  prepas: readonly KeptPrepa[],
  studyIsland: string,
  now = Date.now(),
): Presented {
  if (address.page === 'learner') {
    const page = learnerPages[address.path];
    return pageOf(page.name, page.present(prepas, new Date(now)));
  }
  const prepa = prepas.find(({ copy }) => copy.id === address.prepa);
  if (!prepa) return null;
  switch (address.page) {
    case 'disciplines':
      return presentPrepa(prepa, prepas);
    case 'search':
      return presentFound(prepa, address);
    case 'study':
      return presentReading(prepa, address, studyIsland);
    default:
      return presentTaken(prepa, address, now);
  }
}

const pageOf = (view: string, locals: { title: string }): KeptPage => ({ view, title: locals.title, locals });

function presentPrepa(prepa: KeptPrepa, prepas: readonly KeptPrepa[]): Presented {
  const cards = prepa.disciplines.map((discipline) =>
    presentDisciplineCard(discipline, discipline.image === null ? null : { src: discipline.image, srcset: null, ...coverSize }),
  );
  const resume = resumeOf(prepa);
  const marked = { [toReviewPage.field]: toReviewOf(prepas).length };
  const progress = presentProgress([toReviewPage], progressOf(prepa), marked, resume ? [resume] : []);
  return pageOf(
    '/portal/disciplines',
    presentOpenPrepa({ id: prepa.copy.id, nom: prepa.copy.nom }, cards, progress, keepingLink(prepa.copy.id, { isKept: true }), []),
  );
}

/** Size of a cover picture, in pixels (the server's `coverPicture`). */
const coverSize = { width: 960, height: 540 };

function presentFound(prepa: KeptPrepa, { q, number }: Extract<KeptAddress, { page: 'search' }>): Presented {
  if (number > maxSearchPages) return null;
  const found = searchKept(prepa, q);
  const shown = found.slice((number - 1) * searchPageSize, number * searchPageSize);
  const { id, nom } = prepa.copy;
  // A page number after the last result.
  if (shown.length === 0 && number > 1) return { elsewhere: `/user/recherche?${new URLSearchParams({ q, prepa: String(id) })}` };
  return pageOf(
    '/study/search',
    presentSearch({
      q,
      closed: false,
      trial: false,
      visitor: false,
      prepa: { id, nom },
      found: shown.map(({ hit }) => hit),
      total: found.length,
      page: number,
      passages: new Map(shown.map(({ hit, passage }) => [hit.id, passage])),
      meant: found.length === 0 ? correctKept(prepa, q) : null,
    }),
  );
}

function presentReading(prepa: KeptPrepa, address: Extract<KeptAddress, { page: 'study' }>, studyIsland: string): Presented {
  const discipline = prepa.disciplines.find(({ id }) => id === address.discipline);
  if (!discipline) return null;
  const items = itemsIn(prepa, discipline);
  const asked = address.item;
  const item = asked ? items.find(({ id, kind }) => id === asked.id && kind === asked.type) : items[0];
  if (asked && !item) return null;
  const {
    title,
    discipline: named,
    island,
  } = presentStudyPage(
    {
      prepaNom: prepa.copy.nom,
      disciplineNom: discipline.nom,
      outline: items,
      itemId: item?.id ?? null,
      kind: item?.kind ?? null,
      titre: item?.titre ?? null,
      contenu: item?.contenu ?? null,
      corrige: item?.corrige ?? null,
      documents: item?.documents ?? [],
    },
    {
      trial: false,
      base: studyHref(prepa.copy.id, discipline.id),
      keep: keepingLink(prepa.copy.id, { discipline: discipline.id, isKept: true }),
    },
  );
  const shown = { prepa: { id: prepa.copy.id, nom: prepa.copy.nom }, discipline: named, studyIsland };
  const locals = {
    ...shown,
    trial: false,
    visitor: false,
    reason: null,
    unlock: null,
    paymentIsland: '',
  };
  return { view: '/study/study', title, locals, study: island, ...(item && { opened: { item: item.id, asked: asked !== null } }) };
}

/** Presents a practice, or the page after an item was finished or marked. */
function presentTaken(prepa: KeptPrepa, address: Extract<KeptAddress, { page: 'practice' | 'outcome' }>, now: number): Presented {
  const discipline = prepa.disciplines.find(({ id }) => id === address.discipline);
  const study = studyHref(address.prepa, address.discipline);
  const asked = address.item;
  if (!discipline) return null;
  if (!asked) return { elsewhere: study };
  const item = itemsIn(prepa, discipline).find(({ id, kind }) => id === asked.id && kind === asked.type);
  if (!item) return null;
  const own = `${study}?type=${item.kind}&item=${item.id}`;
  const place = placed(prepa, discipline, item);
  if (address.page !== 'practice') {
    const outline = outlineOf(prepa, discipline);
    const entry = outline.find(({ id }) => id === item.id);
    const outcome = entry ? presentOutcome(outline, entry, place, null, sessionOfExercise(prepa.copy, item.id, new Date(now))) : null;
    return outcome ? pageOf('/training/outcome', outcome) : { elsewhere: own };
  }
  if (item.corrige === null) return { elsewhere: own };
  const mark = prepa.marks.get(item.id);
  const practice = presentPractice(
    {
      ...place,
      duree: item.duree,
      contenu: item.contenu,
      corrige: address.corrected ? item.corrige : null,
      documents: address.corrected ? item.documents : [],
      verdict: mark?.verdict ?? null,
      markedAt: mark?.markedAt ? new Date(mark.markedAt) : null,
    },
    prepa.copy.learner,
    null,
    address.seance ?? null,
  );
  return { ...pageOf('/training/practice', practice), opened: { item: item.id, asked: true } };
}
