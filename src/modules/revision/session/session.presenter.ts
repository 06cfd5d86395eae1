import { dayIn } from '../../../shared/dates.ts';
import { answeredQuestion } from '../../../shared/questions/answered.ts';
import { askedInSeries } from '../../../shared/questions/asked-in-series.ts';
import { questionsOf } from '../../../shared/questions/question-html.ts';
import { orderIn } from '../../../shared/questions/series.ts';
import { shareQuestionHref } from '../../../shared/questions/share.ts';
import type { PlannedQuestion } from '../../../shared/recall/plan.ts';
import { studyHref } from '../../../shared/study/place.ts';
import { typedIn, type UnsentAnswer } from '../../questions/index.ts';
import type { Plan } from '../plan/plan.repository.ts';
import type { SessionQuestion, SessionRow } from './session.repository.ts';
import type { SessionSummary } from './session.service.ts';

export const sessionHref = (id: string): string => `/user/seance/${id}`;
const sessionCall = (id: string, questionId: string): string => `/api/seances/${id}/questions/${questionId}`;

/** Returns the address of the passage with the question; null in a series, whose page shows none. */
const passageOf = (prepaId: number, { disciplineId, itemKind, itemId, id }: SessionQuestion): string | null =>
  itemKind === 'quiz' ? null : `${studyHref(prepaId, disciplineId)}?type=${itemKind}&item=${itemId}#q-${id}`;

/** The questions that may still be asked, in the session's order. */
const questionsInOrder = ({ asked, questions }: Pick<SessionRow, 'asked' | 'questions'>) => {
  const byId = new Map(questions.map((question) => [question.id, question]));
  return asked.flatMap((planned) => {
    const question = byId.get(planned.id);
    return question ? [{ planned, question }] : [];
  });
};

/** Returns the plan of a session in words: `22 questions, environ 15 minutes : 5 nouvelles, 17 à revoir`. */
export function describePlan(asked: readonly PlannedQuestion[]) {
  const fresh = asked.filter(({ isNew }) => isNew).length;
  const again = asked.length - fresh;
  const minutes = Math.max(Math.round(asked.reduce((sum, { seconds }) => sum + seconds, 0) / 60), 1);
  const parts = [...(fresh > 0 ? [`${fresh} ${fresh > 1 ? 'nouvelles' : 'nouvelle'}`] : []), ...(again > 0 ? [`${again} à revoir`] : [])];
  return {
    questions: asked.length,
    minutes,
    said: `${asked.length} ${asked.length > 1 ? 'questions' : 'question'}, environ ${minutes} ${minutes > 1 ? 'minutes' : 'minute'} : ${parts.join(', ')}`,
  };
}

type SessionOfQuestion = Pick<SessionRow, 'id' | 'prepaId' | 'isPublished'>;

/**
 * Returns HTML of one question of a session, answered or not, with unsigned pictures; '' if it cannot be shown.
 * @param origin of the site
 * @param unsent an answer that was sent after the session had ended
 */
export function presentQuestion(
  session: SessionOfQuestion,
  asked: SessionQuestion,
  number: number,
  origin: string,
  unsent: UnsentAnswer = {},
): string {
  const [question] = questionsOf(asked.section);
  if (!question) return '';
  const order = orderIn(session.id, question, asked.lettered);
  const { key, answer } = asked;
  return answer && key
    ? answeredQuestion({ question, key, ...answer, number, order, inSeries: true, shareHref: shareQuestionHref(question, session, origin) })
    : askedInSeries(question, number, {
        order,
        action: `${sessionHref(session.id)}/questions/${asked.id}`,
        call: sessionCall(session.id, asked.id),
        kept: null,
        typed: unsent.question === asked.id ? typedIn(unsent) : null,
      });
}

/** Returns the number of a question in its session, from 1. */
export const numberOf = (session: SessionRow, questionId: string): number =>
  questionsInOrder(session).findIndex(({ question }) => question.id === questionId) + 1;

/** Returns an open session for `revision/session`. @param origin of the site */
export function presentSession(session: SessionRow, origin: string, unsent: UnsentAnswer = {}) {
  const questions = questionsInOrder(session);
  return {
    title: 'Séance du jour',
    prepaNom: session.prepaNom,
    base: sessionHref(session.id),
    total: questions.length,
    done: questions.filter(({ question }) => question.answer).length,
    parts: questions.map(({ question }, index) => presentQuestion(session, question, index + 1, origin, unsent)),
    steps: questions.map(({ planned, question }) => ({
      reason: planned.reason,
      place: `${question.disciplineNom} > ${question.itemTitre}`,
      passage: passageOf(session.prepaId, question),
    })),
  };
}

const weekdays = ['lundi', 'mardi', 'mercredi', 'jeudi', 'vendredi', 'samedi', 'dimanche'];

/** Returns the days of this week on which the learner studied. @param days since Monday, `2026-12-21` */
export function presentWeek(days: readonly string[], now: Date) {
  const today = dayIn(now);
  // 0 is Monday.
  const at = (new Date(`${today}T12:00:00Z`).getUTCDay() + 6) % 7;
  const studied = days.map((day) => (new Date(`${day}T12:00:00Z`).getUTCDay() + 6) % 7);
  const names = weekdays.filter((_, index) => studied.includes(index));
  return {
    dots: weekdays.map((_, index) => ({ isStudied: studied.includes(index), isToday: index === at })),
    said: names.length === 0 ? 'Aucun jour encore cette semaine' : `Cette semaine : ${names.join(', ')}`,
  };
}

/** Returns a finished session for `revision/session-end`. */
export function presentEnd(session: SessionRow, summary: SessionSummary, { week, day }: Plan, now: Date) {
  const failed = questionsInOrder(session).flatMap(({ question }) => {
    const href = question.answer && !question.answer.isRight ? passageOf(session.prepaId, question) : null;
    return href === null ? [] : [{ href, titre: question.itemTitre }];
  });
  const { gained, tomorrow, right, answered } = summary;
  const solid = gained === 1 ? '+1 question solide' : `+${gained} questions solides`;
  return {
    title: 'Séance terminée',
    prepaId: session.prepaId,
    won: gained > 0 ? `${solid}${day === null ? '' : ' pour le jour J'}` : null,
    said: `${right} ${right > 1 ? 'justes' : 'juste'} sur ${answered}`,
    tomorrow:
      tomorrow && `Demain : ${tomorrow.questions} ${tomorrow.questions > 1 ? 'questions' : 'question'}, environ ${tomorrow.minutes} min`,
    /** A passage before a question that was wrong; null without any. */
    reread: failed[0] ?? null,
    week: presentWeek(week, now),
  };
}

/**
 * Returns the card 'Séance du jour' of the dashboard: of the prepa shown there, else of the first other one with questions. Null when no open
 * prepa has a question.
 */
export function presentToday(plans: readonly Plan[], shown: number | null, now: Date) {
  const open = plans.filter(({ access, hasQuestions }) => access && hasQuestions);
  const plan = open.find(({ prepaId }) => prepaId === shown) ?? open[0];
  if (!plan) return null;
  const { prepaId, minutes, today, week } = plan;
  return {
    prepaId,
    minutes,
    /** The open session. */
    resume: today && !today.isFinished ? { href: sessionHref(today.id), left: today.asked - today.answered } : null,
    /** The finished session. */
    done: today?.isFinished ? sessionHref(today.id) : null,
    week: presentWeek(week, now),
  };
}
