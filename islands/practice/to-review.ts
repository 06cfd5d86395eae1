import type { ItemMark } from '../study/use-marks.ts';

/** What has been marked 'à revoir' after a practice, in the contents of a discipline. */
export const toReview: ItemMark = { field: 'aRevoir', label: 'à revoir', icon: 'warning' };
