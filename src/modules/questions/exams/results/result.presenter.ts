import { formatDate } from '../../../../shared/dates.ts';
import { barAt, sayCount, sayRank, sayStanding, sayTie } from '../../../../shared/exams/standing.ts';
import { answeredQuestion } from '../../../../shared/questions/answered.ts';
import { isRight } from '../../../../shared/questions/grade.ts';
import { sayRule } from '../../../../shared/questions/marking-rule.ts';
import { type Outcome, outcomeOf } from '../../../../shared/questions/series.ts';
import { describeMark, formatPoints } from '../../../../shared/study/points.ts';
import type { MarkedExam, SharedPaper } from './marked-exams.ts';
import { listedRanks, type OwnResultRow } from './result.repository.ts';

export const resultHref = (id: number): string => `/user/concours-blancs/${id}/resultat`;

const signed = (points: number): string => formatPoints(points).replace('-', '−');
/** Returns '37,5 sur 60, soit 12,5 sur 20'. */
export const sayMark = (points: number, possible: number): string => describeMark(points, possible).replaceAll('-', '−');

const standingNotes = {
  neutralised: 'Elle ne compte pour personne.',
  given: 'Le point est donné à tous.',
  counted: 'La correction a été refaite avec la nouvelle réponse.',
};
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

/** Returns a published result for `questions/exam-result`. @throws Error without a result */
export function presentResult(own: OwnResultRow, exam: MarkedExam) {
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
        html: answeredQuestion({ question, key, ...shown, number: position, inSeries: true, isExam: true }),
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
    papers: exam.papers
      .filter(({ subject }) => subject === null)
      .map((paper) => ({
        titre: paper.titre,
        discipline: paper.discipline,
        mark: paper.possible > 0 ? sayMark(own.byPaper[paper.id] ?? 0, paper.possible) : 'ne compte pas',
      })),
    distribution: isRanked && candidates > 1 ? presentBars(exam, points, median) : null,
    corrections,
    questions,
    wrong: questions.filter(({ isWrong }) => isWrong).length,
    subjects: exam.papers.flatMap((paper) => presentSubject(paper, own.selfMarks[paper.id])),
    list: rank <= listedRanks && isRanked ? { pseudonym: own.pseudonym } : null,
    listedRanks,
  };
}

function presentSubject({ id, titre, discipline, subject }: SharedPaper, given: number | undefined) {
  if (!subject) return [];
  const points = given === undefined ? null : Number(given);
  return [
    {
      id,
      titre,
      discipline,
      ...subject,
      mark: points === null ? null : sayMark(points, subject.possible),
      typed: points === null ? '' : formatPoints(points),
    },
  ];
}

/** Width of a bar and of the space beside it, and the greatest height, in the picture's units. */
const bar = { width: 12, space: 3, height: 90 };

function presentBars({ bars, candidates }: MarkedExam, points: number, median: number | null) {
  const highest = Math.max(1, ...bars.map(({ count }) => count));
  const ownAt = barAt(bars, points);
  const own = bars[ownAt];
  const range = own ? `de ${signed(own.from)} à ${signed(own.to)} points` : '';
  const others = (own?.count ?? 1) - 1;
  return {
    width: bars.length * (bar.width + bar.space) - bar.space,
    height: bar.height,
    bars: bars.map(({ count }, index) => {
      // A bar with one candidate among thousands stays visible.
      const height = count === 0 ? 0 : Math.max(1.5, Math.round((10 * bar.height * count) / highest) / 10);
      return { x: index * (bar.width + bar.space), y: bar.height - height, width: bar.width, height, isOwn: index === ownAt };
    }),
    from: signed(bars[0]?.from ?? 0),
    to: signed(bars.at(-1)?.to ?? 0),
    said: `${candidates === 1 ? 'Un candidat' : `Les notes des ${sayCount(candidates)} candidats`}. La moitié d'entre eux a au plus ${signed(median ?? 0)} points. Votre note est dans la barre foncée, ${range}, avec ${others === 0 ? 'aucun autre candidat' : others === 1 ? 'un autre candidat' : `${sayCount(others)} autres candidats`}.`,
  };
}
