/** Item analysis of a paper whose questions are right or wrong, from sums over all candidates. */

/** Sums of one question. */
export interface ItemSums {
  /** Candidates with a right answer. */
  right: number;
  /** Sum of the scores of these candidates. A score is a candidate's number of right answers. */
  scores: number;
  /** Right answers in the upper and in the lower group. */
  upper: number;
  lower: number;
}

/** Sums of a paper. */
export interface PaperSums {
  candidates: number;
  /** Questions that count. */
  items: number;
  /** Sum of all scores, and of their squares. */
  scores: number;
  squares: number;
  /** Candidates in the upper group, as many as in the lower one. */
  group: number;
}

export interface ItemFigures {
  /** Share of right answers, 0 to 1. */
  facility: number;
  /** Difference of the shares of right answers in the upper and the lower group, −1 to 1; null without groups. */
  difference: number | null;
  /** Correlation of the question with the score on the other questions (corrected point-biserial); null where it is not defined. */
  correlation: number | null;
}

/** Share of the candidates in the upper and in the lower group (Kelley). */
export const groupShare = 0.27;
/** Fewest candidates from which figures are judged. */
export const fewestCandidates = 30;

/** Returns the figures of a question that counts. */
export function itemFigures({ right, scores, upper, lower }: ItemSums, paper: PaperSums): ItemFigures {
  const { candidates: n, group } = paper;
  // Score on the other questions: the question's own point is taken away.
  const rest = paper.scores - right;
  const restSquares = paper.squares - 2 * scores + right;
  const restOfRight = scores - right;
  const spread = Math.sqrt(right * (n - right)) * Math.sqrt(n * restSquares - rest * rest);
  return {
    facility: n === 0 ? 0 : right / n,
    difference: group === 0 ? null : (upper - lower) / group,
    correlation: spread > 0 ? (n * restOfRight - right * rest) / spread : null,
  };
}

/** Returns the Kuder-Richardson coefficient 20 of a paper, at most 1; null with fewer than two questions or equal scores. */
export function kr20(items: readonly Pick<ItemSums, 'right'>[], { candidates: n, scores, squares }: PaperSums): number | null {
  const k = items.length;
  const variance = (n * squares - scores * scores) / (n * n);
  if (k < 2 || n === 0 || variance <= 0) return null;
  const unexplained = items.reduce((sum, { right }) => sum + (right / n) * (1 - right / n), 0);
  return (k / (k - 1)) * (1 - unexplained / variance);
}

const decimals = new Intl.NumberFormat('fr', { minimumFractionDigits: 2, maximumFractionDigits: 2, signDisplay: 'negative' });
const said = (value: number): string => decimals.format(value).replace('-', '−');

/** Returns what the coefficient of a paper means, in French, or why there is none. */
export function sayReliability(value: number | null, { candidates, items }: Pick<PaperSums, 'candidates' | 'items'>): string {
  if (items < 2) return "La fidélité ne se calcule qu'à partir de deux questions qui comptent.";
  if (candidates < fewestCandidates) return `La fidélité ne se juge qu'à partir de ${fewestCandidates} candidats.`;
  if (value === null) return 'La fidélité ne se calcule pas : tous les candidats ont le même nombre de réponses justes.';
  const words =
    value >= 0.9
      ? 'très bonne : un sujet semblable classerait presque de même'
      : value >= 0.8
        ? 'bonne : un sujet semblable classerait à peu près de même'
        : value >= 0.7
          ? 'suffisante pour un classement général, mais des rangs voisins se valent'
          : value >= 0.5
            ? 'faible : les rangs dépendent beaucoup du choix des questions'
            : 'très faible : ce sujet ne permet guère de classer les candidats';
  return `KR-20 : ${said(value)}. Fidélité ${words}.`;
}
