import { createHmac } from 'node:crypto';
import type { EntityManager } from '@mikro-orm/postgresql';
import { siteSecret } from '../../../../platform/database/site-secret.ts';
import type { UseCaseContext } from '../../../../platform/use-cases/events.ts';
import { answeredAt } from '../../../../shared/exams/answer-batch.ts';
import type { BatchBody, HandInBody, ParticipationView, SittingView } from '../../../../shared/exams/exam-calls.ts';
import { normalGiven } from '../../../../shared/exams/normal-given.ts';
import { receiptOf } from '../../../../shared/exams/receipt.ts';
import { batchesReceived, handIns, lastBatch } from '../exam/exam.counters.ts';
import type { CandidateExamRow } from '../exam/exam.repository.ts';
import { findNewestAnswers } from './newest-answers.ts';
import { gone, otherCandidate, refused } from './sitting.policy.ts';
import { type Arrival, type DeviceRow, findBounds, findDevices, type SittingRow, storeArrival, storeHandIn } from './sitting.repository.ts';

/** Who sits which exam. */
export interface Candidate {
  userId: string;
  examId: number;
  /** Hash of the sender's network: `networkHash`. */
  network: string;
}

type Clocked = Pick<UseCaseContext, 'clock'>;

const networkSecret = siteSecret('exam-networks');
const candidateSecret = siteSecret('exam-candidates');

/** Returns the hash of a network, 16 hexadecimal digits. It shows which candidates share one, and nothing else. @param network from `networkOf` */
export const networkHash = async (em: EntityManager, network: string): Promise<string> =>
  createHmac('sha256', await networkSecret(em))
    .update(network)
    .digest('hex')
    .slice(0, 16);

/** Returns a name of a learner for their own devices. It says nothing about them, and is not their id. */
const candidateName = async (em: EntityManager, userId: string): Promise<string> =>
  createHmac('sha256', await candidateSecret(em))
    .update(userId)
    .digest('hex')
    .slice(0, 16);

/**
 * Begins a sitting. A second start is answered with the first; an earlier one that arrives later shortens the time.
 * @param debut when the candidate began, in ms by the site's clock
 * @throws AppError 403 before the opening or without access, 404, 409 after the closing
 */
export const beginSitting = (em: EntityManager, context: Clocked, candidate: Candidate, debut: number): Promise<SittingView> =>
  take(em, context, candidate, debut, null).then(({ view }) => view);

/**
 * Stores a batch of answers once, and begins the sitting if it has not begun. Answers to unknown questions are dropped.
 * @throws AppError as `beginSitting`
 */
export const takeBatch = (em: EntityManager, context: Clocked, candidate: Candidate, body: BatchBody): Promise<SittingView> =>
  take(em, context, candidate, body.debut, body).then(({ view }) => view);

/**
 * Hands a sitting in with its last answers. A second hand-in stores its answers and is answered with the receipt of the first; one of
 * the site gets its receipt now.
 * @throws AppError as `beginSitting`
 */
export async function handIn(em: EntityManager, context: Clocked, candidate: Candidate, body: HandInBody): Promise<SittingView> {
  const { row, devices, candidat, view } = await take(em, context, candidate, body.debut, body);
  // A sitting that the site has handed in has no receipt yet.
  if (row.handedInAt && row.receipt !== null) return view;
  // Read after the answers were stored: another request of this hand-in that arrived later may have stored them.
  const at = context.clock.now();
  const { userId, examId } = candidate;
  const hand = async (known: Date | null) => {
    const answers = await findNewestAnswers(em, examId, userId, at);
    const receipt = await receiptOf(new Map(answers.map(({ q, g }) => [q, g])), (known ?? at).getTime());
    return storeHandIn(em, { exam: examId, learner: userId, at: at.getTime(), known: known?.getTime() ?? null, ending: body.fin, receipt });
  };
  const first = await hand(row.handedInAt);
  // Without a receipt the site has handed it in meanwhile: the receipt is that of its time.
  const handedIn = first.receipt === null ? await hand(first.handedInAt) : first;
  if (!handedIn.handedInAt) throw gone();
  if (!row.handedInAt) handIns.inc();
  return presentSitting({ ...row, ...handedIn }, devices, at, candidat);
}

async function take(em: EntityManager, { clock }: Clocked, { userId, examId, network }: Candidate, debut: number, body: BatchBody | null) {
  const at = clock.now();
  const candidat = await candidateName(em, userId);
  if (body?.candidat !== undefined && body.candidat !== candidat) throw otherCandidate();
  const batch: Arrival['batch'] = body && {
    device: body.appareil.toLowerCase(),
    number: body.numero,
    sent: body.envoye,
    answers: await neededAnswers(em, userId, examId, body, at),
    network,
  };
  const arrived = await storeArrival(em, { exam: examId, learner: userId, at: at.getTime(), started: debut, batch });
  if (arrived.refusal !== null) throw refused(arrived);
  if (batch) {
    batchesReceived.inc();
    lastBatch.set(at.getTime() / 1000);
  }
  const devices = withBatch(arrived.devices ?? [], batch);
  return { row: arrived as SittingRow, devices, at, candidat, view: presentSitting(arrived, devices, at, candidat) };
}

/**
 * Returns the answers of a batch that may count: the newest to each question, and the newest until the end of the sitting. The others
 * would fill the table.
 */
async function neededAnswers(em: EntityManager, userId: string, examId: number, { reponses, envoye }: BatchBody, at: Date) {
  const answers = reponses.map(({ q, g, t }) => ({ q, g: normalGiven(g), t }));
  if (new Set(answers.map(({ q }) => q)).size === answers.length) return answers;
  const bounds = await findBounds(em, examId, userId);
  const batch = { sentAt: envoye, receivedAt: at.getTime() };
  const needed = new Set<(typeof answers)[number]>();
  for (const until of [Number.POSITIVE_INFINITY, bounds?.cut.getTime() ?? Number.POSITIVE_INFINITY]) {
    const newest = new Map<string, { answer: (typeof answers)[number]; time: number }>();
    for (const answer of answers) {
      const time = answeredAt(answer.t, batch, bounds?.startedAt.getTime() ?? 0);
      const before = newest.get(answer.q);
      if (time <= until && (!before || time >= before.time)) newest.set(answer.q, { answer, time });
    }
    for (const { answer } of newest.values()) needed.add(answer);
  }
  return answers.filter((answer) => needed.has(answer));
}

/** Returns the devices with the batch that the statement has just stored, which it does not see itself. */
function withBatch(devices: readonly DeviceRow[], batch: Arrival['batch']): DeviceRow[] {
  if (!batch || batch.answers.length === 0) return [...devices];
  const others = devices.filter(({ id }) => id !== batch.device);
  const before = devices.find(({ id }) => id === batch.device)?.numero ?? 0;
  return [...others, { id: batch.device, numero: Math.max(before, batch.number) }];
}

function presentSitting(
  { startedAt, endsAt, grace, handedInAt, ending, receipt, late }: SittingRow,
  devices: DeviceRow[],
  at: Date,
  candidat: string,
): SittingView {
  return {
    maintenant: at.getTime(),
    candidat,
    debut: startedAt.getTime(),
    fin: endsAt.getTime(),
    grace,
    remis: handedInAt && ending ? { le: handedInAt.getTime(), recu: receipt ?? '', fin: ending } : null,
    tard: late === 'waiting',
    appareils: devices,
  };
}

/** Returns the learner's sitting with the answers that the server has. @param exam as the learner sees it */
export async function readParticipation(
  em: EntityManager,
  { clock }: Clocked,
  userId: string,
  exam: CandidateExamRow,
): Promise<ParticipationView> {
  const at = clock.now();
  const { id, sitting, grace } = exam;
  const candidat = await candidateName(em, userId);
  if (!sitting) return { maintenant: at.getTime(), candidat, sitting: null, reponses: [] };
  const [devices, reponses] = await Promise.all([findDevices(em, id, userId), findNewestAnswers(em, id, userId, at)]);
  return { maintenant: at.getTime(), candidat, sitting: presentSitting({ ...sitting, grace }, devices, at, candidat), reponses };
}
