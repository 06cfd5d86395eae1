/** Where a candidate stands among all, in words and as bars. */

const integers = new Intl.NumberFormat('fr', { maximumFractionDigits: 0 });
const percent = new Intl.NumberFormat('fr', { style: 'percent', maximumFractionDigits: 0 });

/** Returns '1er', '412e'. */
export const sayRank = (rank: number): string => (rank === 1 ? '1er' : `${integers.format(rank)}e`);

/** Returns '8 930'. */
export const sayCount = (count: number): string => integers.format(count);

/** How many candidates have how many points. */
export type PointCounts = readonly { points: number; count: number }[];

export interface Standing {
  rank: number;
  candidates: number;
  /** Other candidates with the same points. */
  tied: number;
  /** Candidates with fewer points. */
  below: number;
}

/** Returns 'Vous faites mieux que 8 518 candidats sur 8 930, soit 95 %.' and the like. */
export function sayStanding({ candidates, below, rank, tied }: Standing): string {
  if (candidates === 1) return 'Vous êtes le seul candidat : personne à qui vous comparer.';
  if (below === 0) return rank === 1 ? 'Tous les candidats ont la même note.' : "Aucun candidat n'a moins de points que vous.";
  // Rounded down: nobody is told more than they did.
  const share = Math.floor((100 * below) / candidates) / 100;
  const than = below === 1 ? "qu'un candidat" : `que ${sayCount(below)} candidats`;
  const first = rank === 1 && tied === 0 ? 'Vous avez la meilleure note : vous' : 'Vous';
  return `${first} faites mieux ${than} sur ${sayCount(candidates)}${share > 0 ? `, soit ${percent.format(share)}` : ''}.`;
}

/** Returns 'ex aequo avec 3 autres candidats'; '' when nobody has the same points. */
export function sayTie(tied: number): string {
  if (tied === 0) return '';
  return tied === 1 ? 'ex aequo avec un autre candidat' : `ex aequo avec ${sayCount(tied)} autres candidats`;
}

/** A bar: candidates with at least `from` and less than `to` points. The last one includes `to`. */
export interface Bar {
  from: number;
  to: number;
  count: number;
}

const mostBars = 20;

/**
 * Returns the distribution of points as bars of a whole number of points, from the lowest points, at most 0, to the points of an exam
 * without fault. The last bar may be narrower.
 */
export function barsOf(counts: PointCounts, possible: number): Bar[] {
  const from = Math.floor(Math.min(0, ...counts.map(({ points }) => points)));
  const to = Math.max(possible, from + 1, ...counts.map(({ points }) => points));
  const width = Math.ceil((to - from) / mostBars);
  const number = Math.ceil((to - from) / width);
  const bars = Array.from({ length: number }, (_, index) => ({
    from: from + index * width,
    to: Math.min(to, from + (index + 1) * width),
    count: 0,
  }));
  for (const { points, count } of counts) {
    const bar = bars[barAt(bars, points)];
    if (bar) bar.count += count;
  }
  return bars;
}

/** Returns the place of the bar with these points. */
export function barAt(bars: readonly Bar[], points: number): number {
  const after = bars.findIndex(({ to }) => points < to);
  return after === -1 ? bars.length - 1 : after;
}

/** Returns the median of all points; null without candidates. */
export function medianOf(counts: PointCounts): number | null {
  const sorted = [...counts].sort((one, other) => one.points - other.points);
  const all = sorted.reduce((sum, { count }) => sum + count, 0);
  const at = (place: number): number | undefined => {
    let seen = 0;
    return sorted.find(({ count }) => {
      seen += count;
      return seen > place;
    })?.points;
  };
  const [low, high] = [at(Math.floor((all - 1) / 2)), at(Math.floor(all / 2))];
  return low === undefined || high === undefined ? null : (low + high) / 2;
}
