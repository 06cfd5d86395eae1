import type { Given } from '../../questions/grade.ts';
import { maxBatchAnswers, type ParticipationView, type SittingView } from '../exam-calls.ts';
import type { KeptTime } from './site-clock.ts';

/** An answer on the phone. */
export interface KeptAnswer {
  q: string;
  /** Null: the answer was taken back. */
  g: Given | null;
  /** When it was given, in ms, by the site's clock as the page knew it. */
  t: number;
  /** The page did not know the site's time: it is corrected at the next contact. */
  unsure?: true;
}

/** Answers sent together. Number and answers stay until the server has them. */
export interface KeptBatch {
  numero: number;
  reponses: KeptAnswer[];
}

/** A sitting on a phone, as it is stored. Values are replaced, never changed. */
export interface SittingRecord {
  /** Names the candidate; null until the first contact. */
  candidat: string | null;
  appareil: string;
  /** Number of the next batch. */
  numero: number;
  time: KeptTime;
  /** The site's time at the last contact, in ms; 0 before the first. */
  contact: number;
  /** When the candidate began, in ms; null before. */
  debut: number | null;
  isDebutUnsure: boolean;
  /** End of the candidate's time as the server said it, in ms. */
  fin: number | null;
  /** The newest answer to each question that the phone knows, its own or another device's. */
  answers: Record<string, KeptAnswer>;
  /** Answers in no batch yet, in their order. */
  pending: KeptAnswer[];
  /** Batches that the server has not confirmed. */
  batches: KeptBatch[];
  /** Who ended the sitting on this phone. */
  rendu: 'candidate' | 'time' | null;
  /** The server has the hand-in. */
  isArrived: boolean;
  remis: SittingView['remis'];
  /** Answers came after the grace. */
  isLate: boolean;
}

export const newRecord = (appareil: string, seen: number): SittingRecord => ({
  candidat: null,
  appareil,
  numero: 1,
  time: { offset: 0, seen },
  contact: 0,
  debut: null,
  isDebutUnsure: false,
  fin: null,
  answers: {},
  pending: [],
  batches: [],
  rendu: null,
  isArrived: false,
  remis: null,
  isLate: false,
});

/** Answers that the server has not confirmed, in their order. */
export const unsentOf = ({ batches, pending }: SittingRecord): KeptAnswer[] => [...batches.flatMap(({ reponses }) => reponses), ...pending];

/** Number of questions whose answer is not on the server. */
export const unsentCount = (record: SittingRecord): number => new Set(unsentOf(record).map(({ q }) => q)).size;

/** Adds an answer. Its time is after all unsent ones: the order of the candidate's answers is certain, the clock is not. */
export function withAnswer(record: SittingRecord, answer: KeptAnswer): SittingRecord {
  const last = unsentOf(record).at(-1)?.t ?? 0;
  const own = { ...answer, t: Math.max(answer.t, last + 1, (record.answers[answer.q]?.t ?? 0) + 1) };
  return { ...record, answers: { ...record.answers, [own.q]: own }, pending: [...record.pending, own] };
}

/** Puts the first pending answers into a batch. */
export function withBatch(record: SittingRecord): SittingRecord {
  const batch = { numero: record.numero, reponses: record.pending.slice(0, maxBatchAnswers) };
  return {
    ...record,
    numero: record.numero + 1,
    batches: [...record.batches, batch],
    pending: record.pending.slice(maxBatchAnswers),
  };
}

/**
 * Puts everything unsent into new batches, at least one. The last is sent with the hand-in. A batch whose response was lost may be on the
 * server already: its answers in two batches count once.
 */
export function withHandInBatch(record: SittingRecord): SittingRecord {
  let next: SittingRecord = { ...record, batches: [], pending: unsentOf(record) };
  do next = withBatch(next);
  while (next.pending.length > 0);
  return next;
}

export const withoutBatch = (record: SittingRecord, numero: number): SittingRecord => ({
  ...record,
  batches: record.batches.filter((batch) => batch.numero !== numero),
});

/** Returns the body of the call that sends a batch. @param now the site's time, in ms */
export function batchBody({ candidat, appareil, debut }: SittingRecord, { numero, reponses }: KeptBatch, now: number): object {
  const answers = reponses.map(({ q, g, t }) => ({ q, g, t }));
  return { candidat: candidat ?? undefined, appareil, numero, envoye: now, debut, reponses: answers };
}

/**
 * Corrects the times of answers that were given while the page did not know the site's time. All were given after the last contact, and
 * before this one.
 * @param correction in ms  @param now the site's time, in ms
 */
export function withSiteTime(record: SittingRecord, correction: number, now: number): SittingRecord {
  const least = record.contact;
  const corrected = (t: number) => Math.max(least, Math.min(Math.round(t + correction), now));
  const unsent = unsentOf(record).map((answer): KeptAnswer => {
    return answer.unsure ? { q: answer.q, g: answer.g, t: corrected(answer.t) } : answer;
  });
  // The bounds must not change the order.
  for (let index = unsent.length - 2; index >= 0; index -= 1) {
    const [one, next] = [unsent[index], unsent[index + 1]];
    if (one && next && one.t >= next.t) unsent[index] = { ...one, t: next.t - 1 };
  }
  const isDebutUnsure = record.debut !== null && record.isDebutUnsure;
  return {
    ...record,
    contact: now,
    ...(isDebutUnsure && record.debut !== null && { debut: corrected(record.debut), isDebutUnsure: false }),
    answers: { ...record.answers, ...Object.fromEntries(unsent.map((answer) => [answer.q, answer])) },
    batches: record.batches.map((batch) => ({ ...batch, reponses: unsent.splice(0, batch.reponses.length) })),
    pending: unsent,
  };
}

/**
 * Takes the server's answers: one that is newer than the phone's replaces it. Unsent answers of the phone stay.
 * @param isWhole the server's answers replace all others: those that it lacks were taken back on another device, or given after the end
 * @returns the record, and whether an answer is now another one
 */
export function withServerAnswers(
  record: SittingRecord,
  reponses: ParticipationView['reponses'],
  isWhole: boolean,
): [SittingRecord, boolean] {
  const answers = { ...record.answers };
  const unsent = new Set(unsentOf(record).map(({ q }) => q));
  if (isWhole) for (const [q, own] of Object.entries(answers)) if (!unsent.has(q)) answers[q] = { ...own, t: 0, g: null };
  for (const { q, g, t } of reponses) if (t > (answers[q]?.t ?? -1)) answers[q] = { q, g, t };
  const isChanged = Object.keys(answers).some((q) => !sameAnswer(answers[q]?.g ?? null, record.answers[q]?.g ?? null));
  return [{ ...record, answers }, isChanged];
}

const text = (given: Given | null): string =>
  given === null ? '' : 'choices' in given ? [...given.choices].sort().join(' ') : 'typed' in given ? `=${given.typed}` : '-';
export const sameAnswer = (one: Given | null, other: Given | null): boolean => text(one) === text(other);
