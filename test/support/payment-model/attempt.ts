import { createHmac } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { KnobPatch as NotchpayKnobs } from '../../../simulators/notchpay/control-client.ts';
import { ControlError } from '../../../simulators/platform/control-call.ts';
import type { KnobPatch as ZitopayKnobs } from '../../../simulators/zitopay/control-client.ts';
import type { Kernel } from '../../../src/kernel.ts';
import { terminal } from '../../../src/modules/identity/index.ts';
import { decidePayment } from '../../../src/modules/payment/index.ts';
import { AppError } from '../../../src/platform/errors.ts';
import type { TestLearner } from '../factories.ts';
import type { Random } from '../random.ts';
import { intrude } from './intruder.ts';
import type { AskedDecision } from './oracle.ts';
import type { Notice, Plan, ProviderName, Step } from './plan.ts';
import type { ModelSite } from './site.ts';

/** Records of the run, for the oracle and for its end. */
export class Deeds {
  readonly started = new Set<string>();
  readonly tampered = new Map<string, ProviderName>();
  readonly faulted = new Map<string, ProviderName>();
  readonly decisions: AskedDecision[] = [];
}

export interface Stage {
  site: ModelSite;
  deeds: Deeds;
  learners: TestLearner[];
  prepas: { id: number }[];
  /** The kernel of an operator's terminal. */
  operator: Kernel;
}

interface Attempt {
  provider: ProviderName;
  reference: string;
  amount: number;
  learner: TestLearner;
}

/** Runs one plan: starts a payment, then does its steps in order, whether they succeed or fail. */
export async function playAttempt(stage: Stage, plan: Plan, random: Random): Promise<void> {
  const attempt = await start(stage, plan, random);
  // After a failed start the learner waits for the end of the outage.
  if (!attempt) return stage.site.untilUp();
  for (const step of plan.steps) await stage.site.despiteOutages(() => play(stage, attempt, step, random));
}

async function start({ site, deeds, learners, prepas }: Stage, plan: Plan, random: Random): Promise<Attempt | null> {
  const { provider } = plan;
  const learner = learners[Math.floor(plan.learner * learners.length)] as TestLearner;
  const prepa = prepas[Math.floor(plan.prepa * prepas.length)] as { id: number };
  // The reference is not known yet, so the settings apply to the next payment that starts.
  if (plan.startTrouble === 'told-before') await site.world.notchpay.setKnobs({ beforeAnswer: 'created' });
  else if (plan.startTrouble === 'paid-before') await site.world.notchpay.setKnobs({ beforeAnswer: 'complete' });
  else if (plan.startTrouble)
    await site.world.notchpay.setKnobs({ startFaults: [{ kind: plan.startTrouble, times: 1 }], retryAfterSeconds: 1 });
  // The settings may also apply to another payment; every form is valid.
  if (plan.form) await site.world.notchpay.setKnobs(plan.form);
  // Most learners confirm that they want another attempt; the others are shown the existing one.
  const anotherAttempt = random() < 0.9;
  const answer = await post(site, random, '/api/payment/start', { prepaId: prepa.id, provider, anotherAttempt }, learner);
  if (plan.startTrouble) await site.world.notchpay.setKnobs({ beforeAnswer: null, startFaults: null });
  if (answer?.status !== 200) return null;
  const started = (await answer.json()) as {
    provider: ProviderName;
    reference: string;
    amount: number;
    widget?: { options: Record<string, string | number> };
  };
  const { reference, amount } = started;
  deeds.started.add(reference);
  if (plan.form) await site.world.notchpay.setKnobs(plan.form, reference);
  if (started.widget) {
    const asked = { ...started.widget.options, ...(plan.underpays ? { amount: amount - 1000 } : {}) };
    // Registers the same attempt with another amount, which the provider refuses.
    await site.world.simulator.register(asked as never).catch(unlessRefused);
  }
  return { provider: started.provider, reference, amount, learner };
}

/** Ignores refusals of a simulator: the payment is already decided. */
function unlessRefused(error: unknown): null {
  if (error instanceof ControlError && error.statusCode >= 400 && error.statusCode < 500) return null;
  throw error;
}

async function play(stage: Stage, attempt: Attempt, step: Step, random: Random): Promise<unknown> {
  const { site, deeds } = stage;
  const { reference, provider } = attempt;
  switch (step.do) {
    case 'approve':
    case 'decline':
    case 'cancel':
    case 'expire':
    case 'incomplete':
      return decide(site, attempt, step);
    case 'close':
      return simulatorOf(site, provider).close(reference);
    case 'notify':
      return notify(site, attempt, step);
    case 'forge':
      return forge(site, attempt, step.how, random);
    case 'fault':
      deeds.faulted.set(reference, provider);
      return setFault(site, attempt, step.kind);
    case 'tamper':
      deeds.tampered.set(reference, provider);
      return setKnobs(site, attempt, { tamperedAmount: 100 });
    case 'ask':
      return Promise.all(
        Array.from({ length: step.tabs }, () =>
          post(site, random, '/api/payment/process', { transactionReference: reference }, attempt.learner),
        ),
      );
    case 'return':
      return comeBack(stage, attempt, step, random);
    case 'refund':
      return giveBack(stage, attempt, step);
    case 'decide':
      return decideByHand(stage, reference, step.decision);
    case 'intrude':
      return intrude(site.world.databaseUrl, reference);
    case 'wait':
      return sleep(step.ms);
  }
}

const simulatorOf = ({ world }: ModelSite, provider: ProviderName) => (provider === 'zitopay' ? world.simulator : world.notchpay);

function setKnobs(
  { world }: ModelSite,
  { provider, reference }: Pick<Attempt, 'provider' | 'reference'>,
  knobs: ZitopayKnobs & NotchpayKnobs,
): Promise<unknown> {
  return provider === 'zitopay' ? world.simulator.setKnobs(knobs, reference) : world.notchpay.setKnobs(knobs, reference);
}

const copies: Record<Notice, number> = { lost: 0, once: 1, repeated: 3, 'after-return': 1, reordered: 2 };

/** Makes the payer's decision at the provider; ZitoPay knows only approved and declined. */
async function decide(site: ModelSite, attempt: Attempt, step: Extract<Step, { notice: Notice }>): Promise<unknown> {
  const { provider, reference } = attempt;
  const moment = step.notice === 'after-return' ? 'after-redirect' : 'before-redirect';
  if (provider === 'zitopay') {
    await site.world.simulator.setKnobs(
      { notificationTimes: copies[step.notice], notificationMoment: moment, notifyFailures: true },
      reference,
    );
    const { simulator } = site.world;
    return (step.do === 'approve' ? simulator.approve(reference) : simulator.decline(reference)).catch(unlessRefused);
  }
  const story = step.notice === 'reordered' ? (attempt.amount % 2 === 0 ? 'complete-then-processing' : 'failed-then-complete') : 'plain';
  await site.world.notchpay.setKnobs({ webhookTimes: copies[step.notice], webhookMoment: moment, approvalStory: story }, reference);
  const { notchpay } = site.world;
  const words = { decline: 'failed', cancel: 'canceled', expire: 'expired', incomplete: 'incomplete' } as const;
  return (step.do === 'approve' ? notchpay.approve(reference) : notchpay.decide(reference, words[step.do])).catch(unlessRefused);
}

async function notify(site: ModelSite, attempt: Attempt, { status, times }: Extract<Step, { do: 'notify' }>): Promise<unknown> {
  const { provider, reference } = attempt;
  if (provider === 'zitopay') {
    await site.world.simulator.setKnobs(
      { notificationTimes: times, notificationEncoding: times === 2 ? 'multipart' : 'urlencoded' },
      reference,
    );
    return site.world.simulator.notify(reference);
  }
  const look = (['compact', 'pretty', 'compact'] as const)[times - 1];
  await site.world.notchpay.setKnobs(
    { webhookTimes: times, webhookBody: look, webhookGeneration: times === 3 ? 'event' : 'type' },
    reference,
  );
  return site.world.notchpay.notify(reference, status ?? undefined);
}

/** Sends forged notifications that claim the payment is complete. */
function forge(
  site: ModelSite,
  { provider, reference }: Attempt,
  how: Extract<Step, { do: 'forge' }>['how'],
  random: Random,
): Promise<unknown> {
  const url = `${site.url(random)}/api/payment/${provider}/notification`;
  if (how === 'foreign' && provider === 'notchpay') return site.world.notchpay.sendForeignEvent();
  const named = how === 'unknown' ? `${reference}0` : reference;
  if (provider === 'zitopay') {
    const fields = { ref: named, zitopay_transaction_reference: `ZTP-${how}`, status: '1', status_msg: 'COMPLETED' };
    return site.fetch(url, { method: 'POST', body: new URLSearchParams(fields) });
  }
  const event = (status: string) =>
    JSON.stringify({ id: `evt_${how}`, type: `payment.${status}`, data: { id: named, reference: named, status } });
  const body = event('complete');
  const signature = createHmac('sha256', how === 'wrong-key' ? 'hsk_other' : 'hsk_test_sim').update(
    how === 'tampered' ? event('failed') : body,
  );
  const headers = { 'content-type': 'application/json', ...(how === 'unsigned' ? {} : { 'x-notch-signature': signature.digest('hex') }) };
  return site.fetch(url, { method: 'POST', headers, body });
}

/** The number of retries of one verification: fewer faults would not be visible outside. */
const times = 3;

function setFault(site: ModelSite, attempt: Attempt, kind: Extract<Step, { do: 'fault' }>['kind']): Promise<unknown> {
  const isZitopay = attempt.provider === 'zitopay';
  const hang = (ms: number) => ({
    ...(isZitopay ? { verifyHangMs: ms } : { hangMs: ms }),
    verifyFaults: [{ kind: 'hang', times: 1 } as const],
  });
  switch (kind) {
    case 'slow':
      return setKnobs(site, attempt, hang(200) as never);
    case 'hang':
      return setKnobs(site, attempt, hang(3_000) as never);
    case 'unknown-payment':
      return setKnobs(site, attempt, { verifyFaults: [{ kind: isZitopay ? 'error' : 'http404', times: 2 }] } as never);
    case 'bare-reference':
      return setKnobs(site, attempt, { verifyFaults: [{ kind: isZitopay ? 'http500' : kind, times: 2 }] } as never);
    case 'unknown-word':
      return setKnobs(site, attempt, isZitopay ? { statusType: 'string' } : { statusWord: 'on-hold' });
    case 'http429':
      if (isZitopay) return setKnobs(site, attempt, { verifyFaults: [{ kind: 'http500', times }] });
      return setKnobs(site, attempt, { retryAfterSeconds: 1, verifyFaults: [{ kind: 'http429', times: 1 }] } as never);
    default:
      return setKnobs(site, attempt, { verifyFaults: [{ kind, times }] });
  }
}

async function comeBack({ site, deeds }: Stage, attempt: Attempt, step: Extract<Step, { do: 'return' }>, random: Random): Promise<void> {
  const others = [...deeds.started];
  const reference = step.whose === 'own' ? attempt.reference : (others[Math.floor(random() * others.length)] ?? attempt.reference);
  const field = attempt.provider === 'zitopay' ? 'ref' : (['reference', 'trxref', 'notchpay_trxref'][Math.floor(random() * 3)] as string);
  const query = new URLSearchParams({ [field]: reference, status: 'complete' });
  const url = `${site.url(random)}/${step.to}?${query}`;
  const answers = await Promise.all(Array.from({ length: step.times }, () => site.fetch(url, { headers: from(attempt.learner) })));
  for (const answer of answers) await answer?.body?.cancel();
}

function giveBack(stage: Stage, { reference, amount }: Attempt, { by, share }: Extract<Step, { do: 'refund' }>): Promise<unknown> {
  const part = share === null ? undefined : Math.floor(amount * share);
  if (by === 'operator') return decideByHand(stage, reference, 'refund', part);
  return stage.site.world.notchpay.refund(reference, part).catch(unlessRefused);
}

async function decideByHand(
  { site, deeds, operator }: Stage,
  ref: string,
  decision: AskedDecision['decision'],
  amount?: number,
): Promise<void> {
  const asked: AskedDecision = { ref, decision, taken: false };
  const began = Date.now();
  try {
    await decidePayment(operator.fork(), operator.context, { payment: ref, decision, reason: `essai : ${decision}`, amount }, terminal);
    deeds.decisions.push({ ...asked, taken: true });
  } catch (error) {
    // The payment's state does not allow the decision, or less money is left.
    if (error instanceof AppError && (error.status === 409 || error.status === 400)) return;
    // The connection may have broken before or after the commit, so the result is unknown.
    deeds.decisions.push(asked);
    if (!site.wasDownSince(began)) throw error;
  }
}

/** Each learner has a different client address. */
const from = ({ id }: TestLearner) => ({
  'x-forwarded-for': `10.${[0, 2, 4].map((at) => Number.parseInt(id.slice(at, at + 2), 16)).join('.')}`,
});

async function post(site: ModelSite, random: Random, path: string, body: object, learner: TestLearner): Promise<Response | null> {
  const answer = await site.fetch(site.url(random) + path, {
    method: 'POST',
    headers: { ...from(learner), 'content-type': 'application/json', accept: 'application/json', authorization: `Bearer ${learner.token}` },
    body: JSON.stringify(body),
  });
  if (answer?.status !== 200) await answer?.body?.cancel();
  else if (path.endsWith('/process')) await answer.text();
  return answer;
}
