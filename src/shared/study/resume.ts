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
 * Returns the target of 'Reprendre' in a prepa: the item read last unless it is finished; else the next unfinished one, after it and then
 * from the start; else the item that has been 'à revoir' longest. Null before the first reading, and when nothing is left. `resumeSql` of
 * the study module implements the same rule in SQL.
 * @param items in the prepa's order: by discipline, and within it lessons, exercises, past exams
 * @param last id of the item read last
 */
export function itemToResume<Item extends ResumeCandidate>(
  items: readonly Item[],
  last: number | null,
): { item: Item; practice: boolean } | null {
  const at = items.findIndex(({ id }) => id === last);
  if (at < 0) return null;
  const unfinished = [...items.slice(at), ...items.slice(0, at)].find(({ finished }) => !finished);
  if (unfinished) return { item: unfinished, practice: false };
  const [oldest] = items
    .filter(({ toReviewSince }) => toReviewSince !== null)
    .toSorted((one, other) => Number(one.toReviewSince) - Number(other.toReviewSince) || one.id - other.id);
  return oldest ? { item: oldest, practice: true } : null;
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
}

export const presentResume = ({ prepaId, disciplineId, id, kind, titre, practice }: ResumePlace): { titre: string; href: string } => ({
  titre,
  href: `${studyHref(prepaId, disciplineId)}${practice ? '/entrainement' : ''}?type=${kind}&item=${id}`,
});
