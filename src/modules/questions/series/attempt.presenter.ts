import { formatInstant } from '../../../shared/dates.ts';
import { answeredQuestion, unansweredQuestion } from '../../../shared/questions/answered.ts';
import { askedInSeries } from '../../../shared/questions/asked-in-series.ts';
import { ordinaryRule, sayRule } from '../../../shared/questions/marking-rule.ts';
import { type QuestionStep, questionSteps } from '../../../shared/questions/question-html.ts';
import { modeNames, type Outcome, orderIn, outcomeOf, scoreOf } from '../../../shared/questions/series.ts';
import { shareQuestionHref } from '../../../shared/questions/share.ts';
import { studyHref } from '../../../shared/study/place.ts';
import { describeMark, formatSpent } from '../../../shared/study/points.ts';
import { typedIn, type UnsentAnswer } from '../answers/unsent-answer.ts';
import type { AttemptQuestion, AttemptRow } from './attempt.repository.ts';

export const attemptHref = (id: string): string => `/user/series/tentatives/${id}`;
const attemptCall = (id: string, questionId: string): string => `/api/series/tentatives/${id}/questions/${questionId}`;

/** Returns where a learner goes who begins an attempt: to the page of the series if another attempt is open, which it names. */
export const begunHref = ({ id, isOther }: { id: string; isOther: boolean }, itemId: number): string =>
  isOther ? `/user/series/${itemId}` : attemptHref(id);

/** Returns the address of a series' study page. */
export const seriesHref = ({ prepaId, disciplineId, itemId }: Pick<AttemptRow, 'prepaId' | 'disciplineId' | 'itemId'>): string =>
  `${studyHref(prepaId, disciplineId)}?type=quiz&item=${itemId}`;

/** The questions of an attempt with their parts of the text, in order. */
function stepsOf({ contenu, questions }: AttemptRow): (QuestionStep & { asked: AttemptQuestion; number: number })[] {
  const byId = new Map(questions.map((asked) => [asked.id, asked]));
  return questionSteps(contenu)
    .flatMap((step) => {
      const asked = byId.get(step.question.id);
      return asked ? [{ ...step, asked }] : [];
    })
    .map((step, index) => ({ ...step, number: index + 1 }));
}

const head = (attempt: AttemptRow) => ({
  titre: attempt.titre,
  place: `${attempt.prepaNom} > ${attempt.disciplineNom} > ${modeNames[attempt.mode]}`,
  study: seriesHref(attempt),
  base: attemptHref(attempt.id),
});

/**
 * Returns an open attempt for `questions/attempt`; each step is a passage and its question, as HTML with unsigned pictures.
 * @param origin of the site
 * @param unsent an answer that was sent after the session had ended
 */
export function presentAttempt(attempt: AttemptRow, now: Date, origin: string, unsent: UnsentAnswer = {}) {
  const isExam = attempt.mode === 'exam';
  const steps = stepsOf(attempt).map(({ lead, question, asked, number }) => {
    const order = orderIn(attempt.id, question, asked.lettered);
    const { key, answer } = asked;
    const shareHref = shareQuestionHref(question, attempt, origin);
    if (answer && key) return `${lead}${answeredQuestion({ question, key, ...answer, number, order, inSeries: true, shareHref })}`;
    const action = `${attemptHref(attempt.id)}/questions/${question.id}`;
    const typed = question.id === unsent.question ? typedIn(unsent) : null;
    const kept = isExam ? { given: attempt.given[question.id] ?? null } : null;
    return `${lead}${askedInSeries(question, number, { order, action, call: attemptCall(attempt.id, question.id), kept, typed })}`;
  });
  const done = attempt.questions.filter(({ id, answer }) => (isExam ? attempt.given[id] : answer)).length;
  return {
    ...head(attempt),
    title: `Série : ${attempt.titre}`,
    steps,
    total: steps.length,
    done,
    isExam,
    rule: isExam ? sayRule(attempt.bareme ?? ordinaryRule) : null,
    /** End of the time, in words and as the seconds left; null without a limit. */
    end: attempt.endsAt && { said: formatInstant(attempt.endsAt), left: Math.ceil((attempt.endsAt.getTime() - now.getTime()) / 1000) },
  };
}

const outcomeNames: Record<Outcome, [one: string, several: string]> = {
  right: ['juste', 'justes'],
  wrong: ['fausse', 'fausses'],
  none: ['sans réponse', 'sans réponse'],
};

/** Returns a finished attempt for `questions/result`, with the questions as in `presentAttempt`. */
export function presentResult(attempt: AttemptRow) {
  const rule = attempt.bareme ?? ordinaryRule;
  const steps = stepsOf(attempt);
  const results = steps.map(({ asked }) => ({ outcome: outcomeOf(asked.answer), points: Number(asked.points) }));
  const { points, possible, counts } = scoreOf(results, rule);
  return {
    ...head(attempt),
    title: `Résultat : ${attempt.titre}`,
    score: possible > 0 ? describeMark(points, possible).replaceAll('-', '−') : null,
    counts: (['right', 'wrong', 'none'] as const)
      .filter((outcome) => counts[outcome] > 0)
      .map((outcome) => `${counts[outcome]} ${outcomeNames[outcome][counts[outcome] === 1 ? 0 : 1]}`)
      .join(', '),
    rule: sayRule(rule),
    /** Time used; null for 'Apprendre', which may be left for days. */
    spent:
      attempt.finishedAt && attempt.mode === 'exam'
        ? formatSpent(Math.round((attempt.finishedAt.getTime() - attempt.startedAt.getTime()) / 1000))
        : null,
    mistakes: counts.wrong + counts.none,
    /** Whether an answer was wrong, so that its question is in 'Mes erreurs'. */
    isListed: steps.some(({ asked }) => asked.answer?.isRight === false),
    /** The page with the learner's progress and the next item. */
    onward: `${studyHref(attempt.prepaId, attempt.disciplineId)}/suite?type=quiz&item=${attempt.itemId}`,
    restart: `/user/series/${attempt.itemId}`,
    lessons: studyHref(attempt.prepaId, attempt.disciplineId),
    steps: steps.map(({ lead, question, asked, number }, index) => {
      const { key, answer } = asked;
      const order = orderIn(attempt.id, question, asked.lettered);
      const shown = answer ?? { given: { skipped: true as const }, isRight: false };
      const passage =
        lead.trim() === '' || results[index]?.outcome === 'right'
          ? ''
          : `<details class="series__passage"><summary>Relire ce qui précède</summary>${lead}</details>`;
      if (key)
        return `${passage}${answeredQuestion({ question, key, ...shown, number, order, inSeries: true, isExam: attempt.mode === 'exam' })}`;
      return `${passage}${unansweredQuestion(question, number)}`;
    }),
    outcomes: results.map(({ outcome }) => outcome),
    /** Ids of the questions' elements. */
    anchors: steps.map(({ question }) => `q-${question.id}`),
  };
}

/** Returns HTML of one answered question of an attempt, with unsigned pictures; '' when it is not answered. @param origin of the site */
export function presentOneAnswered(attempt: AttemptRow, questionId: string, origin: string): string {
  const step = stepsOf(attempt).find(({ question }) => question.id === questionId);
  if (!step?.asked.key || !step.asked.answer) return '';
  const { question, number } = step;
  return answeredQuestion({
    question,
    key: step.asked.key,
    ...step.asked.answer,
    number,
    order: orderIn(attempt.id, question, step.asked.lettered),
    inSeries: true,
    shareHref: shareQuestionHref(question, attempt, origin),
  });
}
