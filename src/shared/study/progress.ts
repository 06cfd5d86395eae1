import { presentResume, type ResumePlace } from './resume.ts';

/** How far a learner is with a discipline. */
export interface DisciplineProgress {
  prepaId: number;
  disciplineId: number;
  total: number;
  /** Items finished. */
  done: number;
  /** When one was opened last, in seconds; null before the first. */
  readAt: number | null;
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
}

interface PrepaProgress extends Progress {
  /** Where the learner goes on (`itemToResume`); null where nothing has been opened, or nothing is left. */
  resume: ReturnType<typeof presentResume> | null;
}

/** What a learner has made of the prepas that are open to them, by id. */
export interface StudyProgress {
  prepas: Partial<Record<number, PrepaProgress>>;
  disciplines: Partial<Record<number, Progress>>;
  /** The prepa that an item was opened in last; null before the first item. */
  readLast: number | null;
  /** To the lists of what is marked, each with its count. */
  links: { href: string; label: string }[];
}

/** @param resumes where the learner goes on, of each prepa at most one */
export function presentProgress(
  marks: readonly ListedMark[],
  all: readonly DisciplineProgress[],
  marked: MarkedCounts,
  resumes: readonly ResumePlace[],
): StudyProgress {
  // A discipline without items is no part of anybody's progress.
  const rows = all.filter(({ total }) => total > 0);
  const links = marks.flatMap(({ field, page: { href, label } }) => {
    const count = marked[field] ?? 0;
    return rows.length > 0 && count > 0 ? [{ href, label: `${label} (${count})` }] : [];
  });
  const [newest] = rows.filter(({ readAt }) => readAt !== null).toSorted((one, other) => Number(other.readAt) - Number(one.readAt));
  const progress: StudyProgress = { prepas: {}, disciplines: {}, readLast: newest?.prepaId ?? null, links };
  for (const { prepaId, disciplineId, done, total } of rows) {
    progress.disciplines[disciplineId] = { done, total };
    const prepa: PrepaProgress = progress.prepas[prepaId] ?? { done: 0, total: 0, resume: null };
    progress.prepas[prepaId] = { ...prepa, done: prepa.done + done, total: prepa.total + total };
  }
  for (const place of resumes) {
    const prepa = progress.prepas[place.prepaId];
    if (prepa) prepa.resume = presentResume(place);
  }
  return progress;
}
