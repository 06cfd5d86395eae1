import type { ItemKind } from '../item-kinds.ts';
import { studyHref } from './place.ts';

/** How far a learner is with a discipline. */
export interface DisciplineProgress {
  prepaId: number;
  disciplineId: number;
  total: number;
  /** Items finished. */
  done: number;
  /** When one was opened last, in seconds, and which; null before the first. */
  readAt: number | null;
  last: { id: number; kind: ItemKind; titre: string } | null;
}

/** How many items carry each mark, in all the learner's open prepas. */
export type MarkedCounts = Record<string, number>;

/** A mark that items may carry besides having been read: its name, and the page that lists them. */
export interface ListedMark {
  /** Its name in the answer with a discipline's marks. */
  field: string;
  page: { href: string; label: string };
}

/** What has been marked 'à revoir' after a practice. */
export const toReviewPage: ListedMark = { field: 'aRevoir', page: { href: '/user/a-revoir', label: 'À revoir' } };

/** How far a learner is with a prepa or a discipline. */
interface Progress {
  /** Items finished, of `total`. */
  done: number;
  total: number;
  /** The study page of the item opened last; null before the first. */
  lastRead: string | null;
}

/** What a learner has made of the prepas that are open to them, by id. */
export interface StudyProgress {
  prepas: Partial<Record<number, Progress>>;
  disciplines: Partial<Record<number, Progress>>;
  /** What was opened last in any of them; null before the first item. */
  resume: { prepaId: number; titre: string; href: string } | null;
  /** To the lists of what is marked, each with its count. */
  links: { href: string; label: string }[];
}

export function presentProgress(marks: readonly ListedMark[], all: readonly DisciplineProgress[], marked: MarkedCounts): StudyProgress {
  // A discipline without items is no part of anybody's progress.
  const rows = all.filter(({ total }) => total > 0);
  const links = marks.flatMap(({ field, page: { href, label } }) => {
    const count = marked[field] ?? 0;
    return rows.length > 0 && count > 0 ? [{ href, label: `${label} (${count})` }] : [];
  });
  const progress: StudyProgress = { prepas: {}, disciplines: {}, resume: null, links };
  // The newest reading first: what a prepa was left at is what its discipline was left at.
  for (const row of rows.toSorted((one, other) => (other.readAt ?? 0) - (one.readAt ?? 0))) {
    const { prepaId, disciplineId, last, done, total } = row;
    const lastRead = last && `${studyHref(prepaId, disciplineId)}?type=${last.kind}&item=${last.id}`;
    if (last && lastRead) progress.resume ??= { prepaId, titre: last.titre, href: lastRead };
    progress.disciplines[disciplineId] = { done, total, lastRead };
    const prepa: Progress = progress.prepas[prepaId] ?? { done: 0, total: 0, lastRead };
    progress.prepas[prepaId] = { done: prepa.done + done, total: prepa.total + total, lastRead: prepa.lastRead };
  }
  return progress;
}
