import type { Given } from '../questions/grade.ts';

/** An answer in a mock exam. An answer can be taken back: `given` is null then. */
interface ExamAnswer {
  question: string;
  given: Given | null;
  /** When it was given, in ms, by the site's clock as the device estimates it. */
  at: number;
}

/** Answers that a device sends together. */
interface AnswerBatch {
  /** Made by the device at the start of its sitting. */
  device: string;
  /** Number of the batch on its device, from 1. With the device it makes a repeated batch count once. */
  number: number;
  /** When it was sent, in ms, by the same clock as its answers. */
  sentAt: number;
  answers: ExamAnswer[];
}

export interface ReceivedBatch extends AnswerBatch {
  /** When it arrived, in ms. */
  receivedAt: number;
}

/** Difference between the device's and the site's clock from which the times of a batch are corrected, in ms. Less is the network's delay. */
export const clockToleranceMs = 120_000;

/**
 * Returns the time of an answer by the site's clock, in ms: corrected when the device's clock was wrong at sending, and never outside of the
 * time from the start to the arrival.
 */
export function answeredAt(at: number, { sentAt, receivedAt }: Pick<ReceivedBatch, 'sentAt' | 'receivedAt'>, startedAt: number): number {
  const difference = receivedAt - sentAt;
  const corrected = Math.abs(difference) > clockToleranceMs ? at + difference : at;
  return Math.max(startedAt, Math.min(corrected, receivedAt));
}

/**
 * Returns the newest answer to each question that was given before the end. The result depends on the set of batches only, not on their
 * order, nor on how often one arrived.
 * @param endsAt end of the sitting, in ms
 */
export function newestAnswers(batches: readonly ReceivedBatch[], startedAt: number, endsAt: number): Map<string, Given> {
  const newest = new Map<string, { order: readonly [number, number, string, number, number]; given: Given | null }>();
  for (const batch of batches)
    for (const [index, { question, given, at }] of batch.answers.entries()) {
      const time = answeredAt(at, batch, startedAt);
      if (time > endsAt) continue;
      const order = [time, batch.receivedAt, batch.device, batch.number, index] as const;
      const before = newest.get(question);
      if (!before || isAfter(order, before.order)) newest.set(question, { order, given });
    }
  return new Map([...newest].flatMap(([question, { given }]) => (given ? [[question, given] as const] : [])));
}

/** Compares arrays of equal length, the first different place decides. */
function isAfter(one: readonly (number | string)[], other: readonly (number | string)[]): boolean {
  const at = one.findIndex((value, index) => value !== other[index]);
  const [mine, theirs] = [one[at], other[at]];
  return mine !== undefined && theirs !== undefined && mine > theirs;
}
