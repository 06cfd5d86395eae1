import type { Given } from '../questions/grade.ts';

/** Who may take an exam: learners with access to its prepa when they start, or every signed-in learner. */
export const examAudiences = ['enrolled', 'learners'] as const;
export type ExamAudience = (typeof examAudiences)[number];
export const audienceNames: Record<ExamAudience, string> = {
  enrolled: 'Candidats inscrits à la prépa',
  learners: 'Tous les candidats connectés',
};

/** A series, marked by its key, or a past subject, marked by the candidate. They are kinds of items. */
export const paperKinds = ['quiz', 'pastExam'] as const;
export type PaperKind = (typeof paperKinds)[number];

/** Returns what candidates are asked: '23 questions', '23 questions et un sujet à rédiger'. @param subjects number of past subjects */
export function sayAsked(questions: number, subjects: number): string {
  const asked = `${questions} question${questions > 1 ? 's' : ''}`;
  if (subjects === 0) return asked;
  const written = subjects === 1 ? 'un sujet à rédiger' : `${subjects} sujets à rédiger`;
  return questions === 0 ? written : `${asked} et ${written}`;
}

/** How a question counts: by its key, not at all, or as right for everybody. */
export const questionStandings = ['counted', 'neutralised', 'given'] as const;
export type QuestionStanding = (typeof questionStandings)[number];
export const standingNames: Record<QuestionStanding, string> = {
  counted: 'Compte',
  neutralised: 'Neutralisée',
  given: 'Point donné à tous',
};

/** Who ended a sitting: the candidate, the page at the end of the time, or the site for someone who did not come back. */
export const sittingEndings = ['candidate', 'time', 'site'] as const;
export type SittingEnding = (typeof sittingEndings)[number];

/** Answers after the grace: not decided yet, counted, or not counted. */
export const lateStates = ['waiting', 'accepted', 'refused'] as const;
export type LateState = (typeof lateStates)[number];

/** An answer in a stored batch. Short names, since there are some two million in an exam. */
export interface StoredAnswer {
  /** Id of the question. */
  q: string;
  /** Null: the answer was taken back. */
  g: Given | null;
  /** When it was given, in ms, by the same clock as the batch's `sentAt`. */
  t: number;
}
