import { answeredAt, newestAnswers, type ReceivedBatch } from '../../../src/shared/exams/answer-batch.ts';
import type { BatchBody, HandInBody, ParticipationView, SittingView } from '../../../src/shared/exams/exam-calls.ts';
import { sittingEnd } from '../../../src/shared/exams/exam-state.ts';
import type { Reply, RoomTimes } from '../../../src/shared/exams/phone/sitting-view.ts';
import { receiptOf } from '../../../src/shared/exams/receipt.ts';
import type { Given } from '../../../src/shared/questions/grade.ts';

export const minute = 60_000;
/** Minutes after the end within which answers are taken. */
export const grace = 30;

/** What counts in the end. */
export interface Outcome {
  answers: Map<string, Given>;
  /** Answers that were given after it do not count, in ms. */
  cut: number;
  receipt: string | null;
}

/** The calls of an exam for one candidate. */
export interface ExamServer {
  call(what: string, body: never, now: number): Promise<Reply>;
  outcome(): Promise<Outcome>;
}

/** Returns a server that keeps batches in memory and decides by the functions of the site. */
export function memoryServer(times: RoomTimes): ExamServer {
  const batches = new Map<string, ReceivedBatch>();
  let startedAt: number | null = null;
  let endsAt = 0;
  let handedIn: SittingView['remis'] = null;
  const cut = () => Math.min(endsAt, handedIn?.le ?? endsAt);
  const newest = () => newestAnswers([...batches.values()], startedAt ?? 0, cut());

  function begin(debut: number, now: number): void {
    const start = Math.min(Math.max(debut, times.ouvre), now);
    startedAt = Math.min(startedAt ?? start, start);
    endsAt = sittingEnd(new Date(startedAt), times.duree, new Date(times.ferme)).getTime();
  }
  function view(now: number): SittingView {
    const devices = new Map<string, number>();
    for (const { device, number } of batches.values()) devices.set(device, Math.max(number, devices.get(device) ?? 0));
    const appareils = [...devices].map(([id, numero]) => ({ id, numero }));
    return { maintenant: now, debut: startedAt ?? 0, fin: endsAt, grace, remis: handedIn, appareils };
  }
  function take({ appareil, numero, envoye, reponses }: BatchBody, now: number): void {
    const key = `${appareil} ${numero}`;
    if (batches.has(key)) return;
    const answers = reponses.map(({ q, g, t }) => ({ question: q, given: g, at: t }));
    batches.set(key, { device: appareil, number: numero, sentAt: envoye, receivedAt: now, answers });
  }

  return {
    async call(what, body: BatchBody | null, now) {
      if (what === 'participation' && !body) {
        const reponses = [...newest()].map(([q, g]) => ({ q, g, t: newestTime(q) }) as ParticipationView['reponses'][number]);
        return { status: 200, body: { maintenant: now, sitting: startedAt === null ? null : view(now), reponses } };
      }
      if (body) begin(body.debut, now);
      if (body && what !== 'participation') take(body, now);
      if (body && what === 'remise' && !handedIn) {
        handedIn = { le: now, recu: '', fin: (body as HandInBody).fin };
        handedIn.recu = await receiptOf(newest(), now);
      }
      return { status: 200, body: view(now) };
    },
    async outcome() {
      return { answers: newest(), cut: cut(), receipt: handedIn?.recu ?? null };
    },
  };

  function newestTime(question: string): number {
    const times = [...batches.values()].flatMap((batch) =>
      batch.answers.filter((one) => one.question === question).map(({ at }) => answeredAt(at, batch, startedAt ?? 0)),
    );
    return Math.max(...times.filter((at) => at <= cut()));
  }
}
