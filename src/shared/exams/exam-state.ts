/** States of a mock exam, in their order. Between `announced` and `closed` they follow from the clock. */
export type ExamState = 'draft' | 'announced' | 'open' | 'closed' | 'marked' | 'published';

export const examStateNames: Record<ExamState, string> = {
  draft: 'En préparation',
  announced: 'Annoncé',
  open: 'Ouvert',
  closed: 'Fermé',
  marked: 'Corrigé',
  published: 'Résultats publiés',
};

export interface ExamTimes {
  announcedAt: Date | null;
  opensAt: Date;
  closesAt: Date;
  markedAt: Date | null;
  publishedAt: Date | null;
}

/** Returns the state of an exam. One that was not announced in time stays a draft: nobody could have known of it. */
export function examState({ announcedAt, opensAt, closesAt, markedAt, publishedAt }: ExamTimes, now: Date): ExamState {
  if (!announcedAt) return 'draft';
  if (publishedAt) return 'published';
  if (markedAt) return 'marked';
  if (now < opensAt) return 'announced';
  return now < closesAt ? 'open' : 'closed';
}

/** Returns when a sitting ends: after its duration, at the latest when the exam closes. @param minutes duration */
export const sittingEnd = (startedAt: Date, minutes: number, closesAt: Date): Date =>
  new Date(Math.min(startedAt.getTime() + minutes * 60_000, closesAt.getTime()));
