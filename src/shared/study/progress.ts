import { presentResume, type ResumePlace } from './resume.ts';

export interface DisciplineProgress {
  prepaId: number;
  disciplineId: number;
  total: number;
  /** Number of finished items that are not marked 'à revoir'. */
  done: number;
  /** Number of items marked 'à revoir'. */
  toReview: number;
  /** Time at which an item was last opened, in seconds; null before the first. */
  readAt: number | null;
}

/** Number of items by mark, in all prepas open to the learner. */
export type MarkedCounts = Record<string, number>;

/** A mark of items, other than 'read': its field, and the page that lists the items. */
export interface ListedMark {
  /** Field in the API's response with a discipline's marks. */
  field: string;
  page: { href: string; label: string };
}

/** Items marked 'à revoir' after a practice. */
export const toReviewPage: ListedMark = { field: 'aRevoir', page: { href: '/user/a-revoir', label: 'À revoir' } };

/** Numbers of items: `done` of `total` are finished, and others are marked 'à revoir'. */
export interface Counts {
  done: number;
  toReview: number;
  total: number;
}

interface Progress extends Counts {
  /** The same in words. */
  said: string;
}

/** Returns '3 sur 12 terminés, 1 à revoir'. */
export const describeProgress = ({ done, toReview, total }: Counts): string =>
  `${done} sur ${total} ${total > 1 ? 'terminés' : 'terminé'}${toReview > 0 ? `, ${toReview} à revoir` : ''}`;

const presentCounts = (counts: Counts): Progress => ({ ...counts, said: describeProgress(counts) });

interface PrepaProgress extends Progress {
  /** Where the learner resumes (`itemToResume`); null if no item has been opened, or nothing is left. */
  resume: ReturnType<typeof presentResume> | null;
}

/** What a learner has done in a prepa. */
export interface BuiltUp {
  prepaId: number;
  /** Number of finished items that are not marked. */
  finished: number;
  /** Number of marked items. */
  marked: MarkedCounts;
}

/** A learner's progress in the prepas open to them, by id. */
export interface StudyProgress {
  prepas: Partial<Record<number, PrepaProgress>>;
  disciplines: Partial<Record<number, Progress>>;
  /** The prepa in which an item was opened last; null before the first item. */
  readLast: number | null;
  /** What was done in the prepa whose access ended last; null while any prepa is open. */
  builtUp: BuiltUp | null;
  /** Links to the lists of marked items, with counts. */
  links: { href: string; label: string }[];
}

/** Returns a learner's progress for pages. @param resumes where the learner resumes, at most one per prepa */
export function presentProgress(
  marks: readonly ListedMark[],
  all: readonly DisciplineProgress[],
  marked: MarkedCounts,
  resumes: readonly ResumePlace[],
  builtUp: BuiltUp | null = null,
): StudyProgress {
  // A discipline without items does not count.
  const rows = all.filter(({ total }) => total > 0);
  const links = marks.flatMap(({ field, page: { href, label } }) => {
    const count = marked[field] ?? 0;
    return rows.length > 0 && count > 0 ? [{ href, label: `${label} (${count})` }] : [];
  });
  const [newest] = rows.filter(({ readAt }) => readAt !== null).toSorted((one, other) => Number(other.readAt) - Number(one.readAt));
  const progress: StudyProgress = { prepas: {}, disciplines: {}, readLast: newest?.prepaId ?? null, builtUp, links };
  for (const { prepaId, disciplineId, done, toReview, total } of rows) {
    progress.disciplines[disciplineId] = presentCounts({ done, toReview, total });
    const before = progress.prepas[prepaId] ?? { done: 0, toReview: 0, total: 0 };
    const sum = { done: before.done + done, toReview: before.toReview + toReview, total: before.total + total };
    progress.prepas[prepaId] = { ...presentCounts(sum), resume: null };
  }
  for (const place of resumes) {
    const prepa = progress.prepas[place.prepaId];
    if (prepa) prepa.resume = presentResume(place);
  }
  return progress;
}
