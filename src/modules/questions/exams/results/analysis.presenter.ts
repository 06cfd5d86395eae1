import {
  fewestCandidates,
  type ItemFigures,
  itemFigures,
  kr20,
  type PaperSums,
  sayReliability,
} from '../../../../shared/exams/item-analysis.ts';
import { sayCount } from '../../../../shared/exams/standing.ts';
import { beginningOf } from '../../../../shared/questions/beginning.ts';
import { letterOf } from '../../../../shared/questions/letter.ts';
import { formatPoints } from '../../../../shared/study/points.ts';
import { formatCorrelation, formatShare } from '../../statistics/words.ts';
import type { QuestionSums } from './analysis.repository.ts';
import { timedCopies } from './answer-times.repository.ts';
import type { MarkedExam, SharedPaper } from './marked-exams.ts';

/** Most characters of a statement and of a choice. */
const shown = { statement: 160, choice: 90 };

type Sums = PaperSums & { questions: QuestionSums[] };
type Question = SharedPaper['questions'][number];

/** Returns why a question needs a look, in French. @param isFew too few candidates to judge it */
function marksOf(
  { answered, chosen, right }: QuestionSums,
  { facility, correlation }: ItemFigures,
  rightChoices: readonly string[],
  isFew: boolean,
) {
  if (isFew) return [];
  const times = (id: string): number => chosen?.[id] ?? 0;
  const mostWrong = Math.max(0, ...Object.keys(chosen ?? {}).map((id) => (rightChoices.includes(id) ? 0 : times(id))));
  const isMisled = rightChoices.length > 0 && mostWrong > Math.min(...rightChoices.map(times));
  return [
    ...(correlation !== null && Number(correlation.toFixed(2)) < 0
      ? ['Discrimination négative : ceux qui réussissent le reste la manquent plus souvent, la réponse attendue est peut-être fausse']
      : []),
    ...(isMisled ? ["Un choix faux est plus choisi qu'un choix juste"] : []),
    ...(answered > 0 && facility < 0.2 ? ['Moins de 20 % de réponses justes'] : []),
    ...(facility > 0.95 ? ['Plus de 95 % de réponses justes'] : []),
    ...(answered === 0 && right === 0 ? ["Personne n'y a répondu"] : []),
  ];
}

const correlated = (value: number | null): string => (value === null ? 'non définie' : formatCorrelation(value));

/** Returns '45 s', '1 min 15 s'. */
const sayTime = (seconds: number): string =>
  seconds < 60 ? `${seconds} s` : `${Math.floor(seconds / 60)} min${seconds % 60 === 0 ? '' : ` ${seconds % 60} s`}`;

function presentQuestion({ question, position, key }: Question, sums: QuestionSums, paper: PaperSums, seconds: number | undefined) {
  const figures = itemFigures(sums, paper);
  const isFew = paper.candidates < fewestCandidates;
  const share = (count: number): string | null => (paper.candidates === 0 ? null : formatShare(count, paper.candidates));
  const counted = (count: number) => ({
    count: sayCount(count),
    share: share(count),
    length: Math.round((100 * count) / Math.max(1, paper.candidates)),
  });
  return {
    id: question.id,
    position,
    statement: beginningOf(question.statement, shown.statement) || '[énoncé sans texte]',
    marks: marksOf(sums, figures, key.right, isFew),
    facility: share(sums.right) ?? '0',
    correlation: correlated(figures.correlation),
    difference: correlated(figures.difference),
    choices: sums.chosen
      ? [
          ...question.choices.map(({ id, html }, index) => ({
            letter: letterOf(index),
            html: beginningOf(html, shown.choice) || '[choix sans texte]',
            isRight: key.right.includes(id),
            ...counted(sums.chosen?.[id] ?? 0),
          })),
          { letter: null, html: 'Sans réponse', isRight: null, ...counted(paper.candidates - sums.answered) },
        ]
      : [],
    /** Median time; null when it is not known. */
    time: seconds === undefined ? null : sayTime(Math.round(seconds)),
    texts: (sums.typed ?? []).map(({ text, count }) => `« ${text} » (${sayCount(count)})`),
    blank: sayCount(paper.candidates - sums.answered),
  };
}

/** Returns a marked exam's item analysis for `questions/exam-analysis`. @param times median times in seconds, by question */
export function presentAnalysis(
  { id, titre, prepaNom }: { id: number; titre: string; prepaNom: string },
  exam: MarkedExam,
  sums: Sums,
  times: ReadonlyMap<string, number>,
) {
  const bySum = new Map(sums.questions.map((row) => [row.questionId, row]));
  const all = exam.papers.flatMap(({ questions }) => questions);
  const counted = all.flatMap((question) => {
    const row = bySum.get(question.id);
    return row ? [presentQuestion(question, row, sums, times.get(question.id))] : [];
  });
  const left = all.filter(({ standing }) => standing !== 'counted').map(({ position }) => position);
  const mean = sums.candidates === 0 ? 0 : sums.scores / sums.candidates;
  const spread = sums.candidates === 0 ? 0 : Math.sqrt(Math.max(0, sums.squares / sums.candidates - mean * mean));
  return {
    title: `Analyse : ${titre}`,
    titre,
    prepaNom,
    back: `/admin/concours-blancs/${id}`,
    base: `/admin/concours-blancs/${id}`,
    candidates: sums.candidates,
    isFew: sums.candidates < fewestCandidates,
    fewest: fewestCandidates,
    mean: `${formatPoints(mean)} sur ${sums.items}`,
    spread: formatPoints(spread),
    median: exam.median === null ? null : `${formatPoints(exam.median).replace('-', '−')} sur ${formatPoints(exam.possible)}`,
    reliability: sayReliability(kr20(sums.questions, sums), sums),
    left:
      left.length === 0
        ? null
        : `${left.length === 1 ? 'La question' : 'Les questions'} ${left.join(', ')}, ${left.length === 1 ? 'neutralisée ou donnée' : 'neutralisées ou données'} à tous, ${left.length === 1 ? "n'entre" : "n'entrent"} dans aucun de ces chiffres.`,
    group: sums.group,
    timedCopies: times.size > 0 ? timedCopies : null,
    // Those to look at come first.
    questions: [...counted.filter(({ marks }) => marks.length > 0), ...counted.filter(({ marks }) => marks.length === 0)],
    toLookAt: counted.filter(({ marks }) => marks.length > 0).length,
  };
}
