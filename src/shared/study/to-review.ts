import { formatDate } from '../dates.ts';
import { type PlacedItem, presentPlace, studyHref } from './place.ts';

/** An item that a learner has marked 'à revoir'. */
export interface ToReviewEntry extends PlacedItem {
  markedAt: Date;
  /** Number of marked practices so far. */
  times: number;
}

/** Maximum number of items on the page. */
export const maxToReview = 100;

/** Returns the review list for `training/again`; `entries` are the latest, at most `maxToReview`. */
export const presentToReview = (entries: readonly ToReviewEntry[]) => ({
  title: 'À revoir',
  /** Number of listed items if there may be more; else null. */
  most: entries.length === maxToReview ? maxToReview : null,
  items: entries.map((entry) => ({
    titre: entry.titre,
    place: presentPlace(entry),
    /** Address of the practice, also of the form with the learner's mark. */
    base: `${studyHref(entry.prepaId, entry.disciplineId)}/entrainement`,
    type: entry.kind,
    item: entry.id,
    date: formatDate(entry.markedAt),
    times: entry.times,
  })),
});
