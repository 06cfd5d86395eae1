import type { ListedMark } from '../../../shared/study/progress.ts';

/**
 * A mark that a later module (`training`) sets on a learner's items. The contents list shows the mark, and the learner's pages link to
 * the list of marked items.
 */
export interface ItemMark extends ListedMark {
  /** French text for the API's description. */
  description: string;
  /** Returns SQL: whether item `i` carries the mark for this learner. @param learner SQL of the learner's id */
  condition: (learner: string) => string;
  /**
   * Returns SQL: the item `i` of the prepa that has carried the mark longest, with the columns of `resumeSql`. Both parameters are
   * SQL of an id.
   */
  oldest: (learner: string, prepa: string) => string;
}
