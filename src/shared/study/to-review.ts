import { formatDate } from '../dates.ts';
import { type PlacedItem, presentPlace, studyHref } from './place.ts';

/** An item that a learner has marked 'à revoir'. */
export interface ToReviewEntry extends PlacedItem {
  markedAt: Date;
  /** Practices marked so far. */
  times: number;
}

/** So many are shown. */
export const maxToReview = 100;

/** What is to be taken again, as `content/again` shows it; `entries` are the latest, at most `maxToReview`. */
export const presentToReview = (entries: readonly ToReviewEntry[]) => ({
  title: 'À revoir',
  /** How many are listed at most, when there may be more. */
  most: entries.length === maxToReview ? maxToReview : null,
  items: entries.map((entry) => ({
    titre: entry.titre,
    place: presentPlace(entry),
    href: `${studyHref(entry.prepaId, entry.disciplineId)}/entrainement?type=${entry.kind}&item=${entry.id}`,
    date: formatDate(entry.markedAt),
    times: entry.times,
  })),
});
