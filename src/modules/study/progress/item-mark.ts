import type { ListedMark } from '../../../shared/study/progress.ts';

/** What another room marks a learner's items with: the contents of a discipline show it, and the learner's pages link to all that carry it. */
export interface ItemMark extends ListedMark {
  /** In French, for the API's description. */
  description: string;
  /** SQL over a learner's id: whether item `i` carries it. */
  condition: (learner: string) => string;
  /** SQL over a learner's id and a prepa's: a statement that finds the item `i` of the prepa that has carried it longest, with the columns of `resumeSql`. */
  oldest: (learner: string, prepa: string) => string;
}
