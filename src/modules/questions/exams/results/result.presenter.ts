import { formatDate } from '../../../../shared/dates.ts';
import { barAt, sayCount, sayRank, sayStanding, sayTie } from '../../../../shared/exams/standing.ts';
import { answeredQuestion } from '../../../../shared/questions/answered.ts';
import { isRight } from '../../../../shared/questions/grade.ts';
import { sayRule } from '../../../../shared/questions/marking-rule.ts';
import { type Outcome, outcomeOf } from '../../../../shared/questions/series.ts';
import { describeMark, formatPoints, sumOf } from '../../../../shared/study/points.ts';
import type { MarkedExam, SharedPaper } from './marked-exams.ts';
import { listedRanks, type OwnResultRow } from './result.repository.ts';

export const resultHref = (id: number): string => `/user/concours-blancs/${id}/resultat`;

const signed = (points: number): string => formatPoints(points).replace('-', '−');
/** Returns '37,5 sur 60, soit 12,5 sur 20'. */
const sayMark = (points: number, possible: number): string => describeMark(points, possible).replaceAll('-', '−');

const standingNotes = {
  neutralised: 'Elle ne compte pour personne.',
  given: 'Le point est donné à tous.',
  counted: 'La correction a été refaite avec la nouvelle réponse.',
};
const settled = {
  neutralised: { verdict: 'Question neutralisée', tone: 'off' },
  given: { verdict: 'Point donné à tous', tone: 'good' },
  counted: undefined,
} as const;
const standingWords = { neutralised: 'a été neutralisée', given: 'est comptée juste pour tous', counted: 'a été corrigée' };

/** Returns the latest correction of each question: 'La question 7 a été neutralisée : …'. */
function presentCorrections({ corrections, papers }: MarkedExam) {
  const positions = new Map(papers.flatMap(({ questions }) => questions.map(({ id, position }) => [id, position] as const)));
  const latest = new Map(corrections.map((correction) => [correction.questionId, correction]));
  return [...latest.values()].map(({ questionId, standing, reason, at }) => ({
    questionId,
    said: `La question ${positions.get(questionId)} ${standingWords[standing]} : ${reason.replace(/[.\s]+$/, '')}.`,
    note: standingNotes[standing],
    date: formatDate(new Date(at)),
  }));
}

/** Returns whom the public list may show: 'des 100 premiers', 'des 40 candidats'. */
export const sayListed = (candidates: number): string =>
  candidates > listedRanks ? `des ${listedRanks} premiers` : candidates > 1 ? `des ${candidates} candidats` : 'des candidats';

/** What a candidate typed that was not stored, and why. */
export interface RefusedEntry {
  pseudonym?: { typed: string; fault: string };
  /** `faults` by the field's index. */
  note?: { epreuve: number; typed: string[]; faults: Record<number, string> };
}

/**
 * Returns a published result for `questions/exam-result`.
 * @param revisable number of wrong answers that can be revised
 * @throws Error without a result
 */
export function presentResult(own: OwnResultRow, exam: MarkedExam, revisable: number, refused: RefusedEntry = {}) {
  const { points, answers, rank } = own;
  if (points === null || answers === null) throw new Error('no result');
  const { candidates, possible, median } = exam;
  const tied = (exam.withPoints.get(points) ?? 1) - 1;
  const standing = { rank, candidates, tied, below: candidates - rank - tied };
  const corrections = presentCorrections(exam);
  const corrected = new Map(corrections.map((correction) => [correction.questionId, correction]));
  const questions = exam.papers.flatMap((paper) =>
    paper.questions.map(({ question, lead, key, position, standing: counts }) => {
      const given = answers[question.id];
      const answer = given ? { given, isRight: isRight(key, given) } : null;
      const correction = corrected.get(question.id);
      const note = correction ? { said: correction.said, note: correction.note } : null;
      const shown = answer ?? { given: { skipped: true as const }, isRight: false };
      return {
        anchor: `q-${question.id}`,
        number: position,
        outcome: counts === 'neutralised' ? ('off' as const) : counts === 'given' ? ('right' as const) : (outcomeOf(answer) as Outcome),
        note,
        lead: lead.trim(),
        html: answeredQuestion({ question, key, ...shown, number: position, inSeries: true, isExam: true, settled: settled[counts] }),
        isWrong: answer !== null && !answer.isRight && counts === 'counted',
      };
    }),
  );
  const isRanked = possible > 0;
  return {
    id: own.id,
    title: `Résultat : ${own.titre}`,
    titre: own.titre,
    place: own.prepaNom,
    exam: `/user/concours-blancs/${own.id}`,
    base: resultHref(own.id).replace('/resultat', ''),
    score: isRanked ? sayMark(points, possible) : null,
    rank: isRanked ? `${sayRank(rank)} sur ${sayCount(candidates)}` : null,
    tie: isRanked ? sayTie(tied) : '',
    standing: isRanked ? sayStanding(standing) : '',
    counts: [
      [own.rights, 'juste', 'justes'] as const,
      [own.wrongs, 'fausse', 'fausses'] as const,
      [own.blanks, 'sans réponse', 'sans réponse'] as const,
    ]
      .filter(([count]) => count > 0)
      .map(([count, one, several]) => `${count} ${count === 1 ? one : several}`)
      .join(', '),
    rule: sayRule(own.bareme),
    bySite: own.ending === 'site',
    late: own.late,
    disciplines: presentDisciplines(own, exam),
    distribution: isRanked && candidates > 1 ? presentBars(exam, points, median) : null,
    corrections,
    questions,
    wrong: questions.filter(({ isWrong }) => isWrong).length,
    revisable,
    subjects: exam.papers.flatMap((paper) => presentSubject(paper, own.selfMarks[paper.id], refused.note)),
    list:
      rank <= listedRanks && isRanked
        ? { pseudonym: own.pseudonym, typed: refused.pseudonym?.typed ?? '', fault: refused.pseudonym?.fault ?? null }
        : null,
    listedOf: sayListed(candidates),
  };
}

/** Returns the marks of the disciplines, in the order of their first series. */
function presentDisciplines({ byPaper }: Pick<OwnResultRow, 'byPaper'>, { papers }: MarkedExam) {
  const groups = Map.groupBy(
    papers.filter(({ subject }) => subject === null),
    ({ discipline }) => discipline,
  );
  return [...groups].map(([discipline, own]) => {
    const possible = sumOf(own.map((paper) => paper.possible));
    return {
      discipline,
      papers: own.map(({ titre }) => titre).join(', '),
      mark: possible > 0 ? sayMark(sumOf(own.map(({ id }) => Number(byPaper[id] ?? 0))), possible) : 'ne compte pas',
    };
  });
}

/** The one field of a past subject without a scale. */
const wholeLabel = 'Mes points';

function presentSubject({ id, titre, discipline, subject }: SharedPaper, given: number | undefined, refused: RefusedEntry['note']) {
  if (!subject) return [];
  const points = given === undefined ? null : Number(given);
  const entry = refused?.epreuve === id ? refused : null;
  const typedOf = (index: number): string =>
    entry?.typed[index] ?? (points !== null && subject.parts.length === 0 ? formatPoints(points) : '');
  const firstFault = Object.keys(entry?.faults ?? {})[0];
  const parts = subject.parts.length > 0 ? subject.parts : [{ label: wholeLabel, max: subject.possible }];
  return [
    {
      id,
      titre,
      discipline,
      ...subject,
      mark: points === null ? null : sayMark(points, subject.possible),
      fields: parts.map(({ label, max }, index) => ({
        label,
        max,
        out: `sur ${formatPoints(max)}`,
        typed: typedOf(index),
        fault: entry?.faults[index] ?? null,
        isFirstFault: firstFault === String(index),
      })),
    },
  ];
}

/** Width of a bar and of the space beside it, and the greatest height, in the picture's units. */
const bar = { width: 12, space: 3, height: 90 };
/** Height of the triangle below a candidate's own bar, and of the space above it, in the picture's units. */
const mark = { height: 9, space: 3 };

/** Returns the points of a triangle that points at a bar from below, so that colour is not its only mark, and where it ends. */
function markBelow(index: number) {
  const left = index * (bar.width + bar.space);
  const top = bar.height + 1 + mark.space;
  return {
    points: `${left + bar.width / 2},${top} ${left + bar.width},${top + mark.height} ${left},${top + mark.height}`,
    bottom: top + mark.height,
  };
}

function presentBars({ bars, candidates }: MarkedExam, points: number, median: number | null) {
  const highest = Math.max(1, ...bars.map(({ count }) => count));
  const ownAt = barAt(bars, points);
  const own = bars[ownAt];
  const range = own ? `de ${signed(own.from)} à ${signed(own.to)} points` : '';
  const others = (own?.count ?? 1) - 1;
  return {
    width: bars.length * (bar.width + bar.space) - bar.space,
    height: bar.height,
    mark: markBelow(ownAt),
    bars: bars.map(({ count }, index) => {
      // A bar with one candidate among thousands stays visible.
      const height = count === 0 ? 0 : Math.max(1.5, Math.round((10 * bar.height * count) / highest) / 10);
      return { x: index * (bar.width + bar.space), y: bar.height - height, width: bar.width, height, isOwn: index === ownAt };
    }),
    from: signed(bars[0]?.from ?? 0),
    to: signed(bars.at(-1)?.to ?? 0),
    said: `${candidates === 1 ? 'Un candidat' : `Les notes des ${sayCount(candidates)} candidats`}. La moitié d'entre eux a au plus ${signed(median ?? 0)} points. Votre note est dans la barre marquée d'un triangle, ${range}, avec ${others === 0 ? 'aucun autre candidat' : others === 1 ? 'un autre candidat' : `${sayCount(others)} autres candidats`}.`,
  };
}
