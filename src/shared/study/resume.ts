import type { ItemKind } from '../item-kinds.ts';
import { studyHref } from './place.ts';

/** An item of a prepa, with the data that decides where a learner resumes. */
export interface ResumeCandidate {
  id: number;
  finished: boolean;
  /** Time at which the item was marked 'à revoir', in ms; null without this mark. */
  toReviewSince: number | null;
}

/**
 * Returns the learner's next step in a prepa: the item read last unless it is finished; else the next unfinished one, after it and then
 * from the start; else the item that has been 'à revoir' longest. Before the first reading it `begins` with the first unfinished item.
 * Null when nothing is left. `resumeSql` of the study module is the same in SQL.
 * @param items in the prepa's order: by discipline, and within it lessons, exercises, past exams
 * @param last id of the item read last
 */
export function itemToResume<Item extends ResumeCandidate>(
  items: readonly Item[],
  last: number | null,
): { item: Item; practice: boolean; begins: boolean } | null {
  const at = items.findIndex(({ id }) => id === last);
  const begins = at < 0;
  const unfinished = [...items.slice(Math.max(at, 0)), ...items.slice(0, Math.max(at, 0))].find(({ finished }) => !finished);
  if (unfinished) return { item: unfinished, practice: false, begins };
  if (begins) return null;
  const [oldest] = items
    .filter(({ toReviewSince }) => toReviewSince !== null)
    .toSorted((one, other) => Number(one.toReviewSince) - Number(other.toReviewSince) || one.id - other.id);
  return oldest ? { item: oldest, practice: true, begins: false } : null;
}

/** The item at which a learner resumes a prepa. */
export interface ResumePlace {
  prepaId: number;
  disciplineId: number;
  id: number;
  kind: ItemKind;
  titre: string;
  /** True: repeat it as practice; false: read it. */
  practice: boolean;
  /** Whether the learner has opened nothing in this prepa. */
  begins: boolean;
  /** The exam's duration, else an estimate of the reading time, in minutes; null when unknown. */
  minutes: number | null;
}

/** Returns the link to the next step; its label is completed by the title. */
export const presentResume = ({ prepaId, disciplineId, id, kind, titre, practice, begins, minutes }: ResumePlace) => ({
  titre,
  begins,
  label: begins ? 'Commencer par' : 'Reprendre',
  minutes,
  href: `${studyHref(prepaId, disciplineId)}${practice ? '/entrainement' : ''}?type=${kind}&item=${id}`,
});
