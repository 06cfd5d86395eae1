import type { ItemMark } from '../study/use-marks.ts';

/** The mark 'à revoir' of a practice, for the contents of a discipline. */
export const toReview: ItemMark = { field: 'aRevoir', label: 'à revoir', icon: 'warning' };
