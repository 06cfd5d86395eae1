import { dayIn, formatDate } from '../dates.ts';
import type { ItemKind } from '../item-kinds.ts';
import { answeredQuestion } from '../questions/answered.ts';
import { askedInSeries } from '../questions/asked-in-series.ts';
import type { Given } from '../questions/grade.ts';
import { questionsOf } from '../questions/question-html.ts';
import type { QuestionKey } from '../questions/question-keys.ts';
import { orderIn } from '../questions/series.ts';
import { shareQuestionHref } from '../questions/share.ts';
import type { PlannedQuestion } from '../recall/plan.ts';
import { studyKinds } from '../study/kinds.ts';
import { studyHref } from '../study/place.ts';
import type { Verdict } from '../study/verdicts.ts';
import { daysUntil } from './countdown.ts';
import { presentWeek, sayCounts } from './week.ts';

/** A question of a session, with its answer in this session. */
export interface SessionQuestion {
  id: string;
  keyVersion: number;
  itemVersion: number;
  points: number;
  /** The question's part of the text, without its key. */
  section: string;
  /** Its explanation names choices by their letters, so that they keep their order. */
  lettered: boolean;
  /** Null before it is answered, unless it was read to judge an answer. */
  key: QuestionKey | null;
  answer: { given: Given; isRight: boolean } | null;
  itemId: number;
  itemKind: ItemKind;
  itemTitre: string;
  disciplineId: number;
  disciplineNom: string;
}

/** The exercise of a session. */
export interface SessionExercise {
  id: number;
  kind: ItemKind;
  titre: string;
  disciplineId: number;
  disciplineNom: string;
  /** The verdict of the day after the session's start; null before it. */
  verdict: Verdict | null;
  /** Whether the learner has passed over it. */
  passed: boolean;
}

/** A daily session as its pages show it. */
export interface ShownSession {
  id: string;
  prepaId: number;
  prepaNom: string;
  asked: PlannedQuestion[];
  startedAt: Date;
  /** Without questions that can no longer be asked. */
  questions: SessionQuestion[];
  /** Null without one, and when it can no longer be marked. */
  exercise: SessionExercise | null;
}

/** What a finished session changed, and what comes next. */
export interface SessionSummary {
  answered: number;
  right: number;
  /** Questions that have become solid for the day, less those that are no longer. */
  gained: number;
  /** Tomorrow's session; null when there is nothing to ask. */
  tomorrow: PlannedQuestion[] | null;
}

export const sessionHref = (id: string): string => `/user/seance/${id}`;
const sessionCall = (id: string, questionId: string): string => `/api/seances/${id}/questions/${questionId}`;

/** Returns the address of the passage with the question; null in a series, whose page shows none. */
const passageOf = (prepaId: number, { disciplineId, itemKind, itemId, id }: SessionQuestion): string | null =>
  itemKind === 'quiz' ? null : `${studyHref(prepaId, disciplineId)}?type=${itemKind}&item=${itemId}#q-${id}`;

type Step = { planned: PlannedQuestion } & ({ question: SessionQuestion; exercise: null } | { question: null; exercise: SessionExercise });

/** The questions that may still be asked, and the exercise, in the session's order. */
const stepsInOrder = ({ asked, questions, exercise }: Pick<ShownSession, 'asked' | 'questions' | 'exercise'>) => {
  const byId = new Map(questions.map((question) => [question.id, question]));
  return asked.flatMap((planned): Step[] => {
    if (exercise && planned.item === exercise.id) return [{ planned, exercise, question: null }];
    const question = byId.get(planned.id);
    return question ? [{ planned, question, exercise: null }] : [];
  });
};
const questionsInOrder = (session: Pick<ShownSession, 'asked' | 'questions'>) =>
  stepsInOrder({ ...session, exercise: null }).flatMap(({ planned, question }) => (question ? [{ planned, question }] : []));

/** Returns the plan of a session in words: `22 questions, environ 15 minutes : 5 nouvelles, 17 à revoir`. */
export function describePlan(asked: readonly PlannedQuestion[]) {
  const fresh = asked.filter(({ isNew }) => isNew).length;
  const again = asked.length - fresh;
  const parts = [...(fresh > 0 ? [`${fresh} ${fresh > 1 ? 'nouvelles' : 'nouvelle'}`] : []), ...(again > 0 ? [`${again} à revoir`] : [])];
  const minutes = minutesOf(asked);
  return { said: `${sayWhat(asked)}, environ ${minutes} ${minutes > 1 ? 'minutes' : 'minute'} : ${parts.join(', ')}` };
}

/** Returns `22 questions et 1 exercice`. */
function sayWhat(asked: readonly PlannedQuestion[]): string {
  const questions = asked.filter(({ item }) => item === undefined).length;
  return sayCounts(questions, questions < asked.length);
}

const minutesOf = (asked: readonly PlannedQuestion[]): number =>
  Math.max(Math.round(asked.reduce((sum, { seconds }) => sum + seconds, 0) / 60), 1);

/** How the site shows a session; a device shows it without. */
interface OnSite {
  /** Origin of the site, for the link that shares an answered question. */
  origin: string;
  /** An answer that was sent after the learner's sign-in had ended: its form begins with it. */
  unsent?: { question: string; given: Given | null } | null;
}

type SessionOfQuestion = Pick<ShownSession, 'id' | 'prepaId'> & { isPublished?: boolean };

/** Returns HTML of one question of a session, answered or not, with unsigned pictures; '' if it cannot be shown. */
export function presentQuestion(session: SessionOfQuestion, asked: SessionQuestion, number: number, site: OnSite | null): string {
  const [question] = questionsOf(asked.section);
  if (!question) return '';
  const order = orderIn(session.id, question, asked.lettered);
  const { key, answer } = asked;
  const place = { prepaId: session.prepaId, isPublished: session.isPublished ?? false };
  return answer && key
    ? answeredQuestion({
        question,
        key,
        ...answer,
        number,
        order,
        inSeries: true,
        ...(site && { shareHref: shareQuestionHref(question, place, site.origin) }),
      })
    : askedInSeries(question, number, {
        order,
        action: `${sessionHref(session.id)}/questions/${asked.id}`,
        call: sessionCall(session.id, asked.id),
        kept: null,
        typed: site?.unsent?.question === asked.id ? site.unsent.given : null,
      });
}

/** Returns the number of a question in its session, from 1. */
export const numberOf = (session: ShownSession, questionId: string): number =>
  questionsInOrder(session).findIndex(({ question }) => question.id === questionId) + 1;

/** Returns an open session for `revision/session`. */
export function presentSession(session: ShownSession & { isPublished?: boolean }, site: OnSite | null = null) {
  const steps = stepsInOrder(session);
  let number = 0;
  const nextNumber = () => {
    number += 1;
    return number;
  };
  return {
    title: 'Séance du jour',
    prepaNom: session.prepaNom,
    base: sessionHref(session.id),
    total: steps.length,
    done: steps.filter(({ question, exercise }) => (question ? question.answer : exercise.passed || exercise.verdict)).length,
    /** HTML of the steps; '' of the exercise. */
    parts: steps.map(({ question }) => (question ? presentQuestion(session, question, nextNumber(), site) : '')),
    steps: steps.map(({ planned, question, exercise }) => ({
      reason: planned.reason,
      place: question ? `${question.disciplineNom} > ${question.itemTitre}` : exercise.disciplineNom,
      passage: question && passageOf(session.prepaId, question),
      exercise: exercise && presentExercise(session, exercise, planned),
    })),
  };
}

const verdictLabels: Record<Verdict, string> = { reussi: 'Réussi', a_revoir: 'À revoir' };

/** Returns the step of a session's exercise: what leads to its practice page, which comes back, or how it went. */
function presentExercise({ id, prepaId }: Pick<ShownSession, 'id' | 'prepaId'>, exercise: SessionExercise, planned: PlannedQuestion) {
  const { kind, titre, disciplineId, verdict, passed } = exercise;
  return {
    name: studyKinds[kind].name,
    titre,
    minutes: minutesOf([planned]),
    href: `${studyHref(prepaId, disciplineId)}/entrainement?type=${kind}&item=${exercise.id}&seance=${id}`,
    /** Null while it is open. */
    said: verdict ? verdictLabels[verdict] : passed ? 'Passé pour cette fois' : null,
  };
}

/** Returns a finished session for `revision/session-end`. */
export function presentEnd(
  session: ShownSession,
  summary: SessionSummary,
  { week, day }: { week: readonly string[]; day: string | null },
  now: Date,
) {
  const failed = questionsInOrder(session).flatMap(({ question }) => {
    const href = question.answer && !question.answer.isRight ? passageOf(session.prepaId, question) : null;
    return href === null ? [] : [{ href, titre: question.itemTitre }];
  });
  const { gained, tomorrow, right, answered } = summary;
  const isToCome = day !== null && daysUntil(day, now) >= 0;
  const verdict = session.exercise?.verdict;
  const exerciseSaid = verdict ? `1 exercice ${verdict === 'reussi' ? 'réussi' : 'à revoir'}` : null;
  const isToday = dayIn(session.startedAt) === dayIn(now);
  const solid = gained === 1 ? '+1 question solide' : `+${gained} questions solides`;
  return {
    title: 'Séance terminée',
    /** Day of the session, `28 novembre 2026`. */
    day: formatDate(session.startedAt),
    /** Only a session of today goes on: `Encore 5 minutes`. */
    isToday,
    prepaId: session.prepaId,
    won: gained > 0 ? `${solid}${isToCome ? ' pour le jour J' : ''}` : null,
    said: [
      ...(answered > 0 || !exerciseSaid ? [`${right} ${right > 1 ? 'justes' : 'juste'} sur ${answered}`] : []),
      ...(exerciseSaid ? [exerciseSaid] : []),
    ].join(', '),
    tomorrow: isToday && tomorrow && `Demain : ${sayWhat(tomorrow)}, environ ${minutesOf(tomorrow)} min`,
    /** A passage before a question that was wrong; null without any. */
    reread: failed[0] ?? null,
    week: presentWeek(week, now),
  };
}
