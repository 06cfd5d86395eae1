import type { StudyProgress } from '../../../shared/study/progress.ts';
import { type PrepaRow, presentPrepaCard } from '../../catalogue/index.ts';
import { type EnrolmentRow, presentEnrolmentCard, willAddDays } from '../../enrolment/index.ts';
import type { OpenAttempt } from '../../payment/index.ts';
import { describeBuiltUp } from '../../training/index.ts';
import type { Renewals } from '../catalogue/catalogue.presenter.ts';

interface Offers {
  published: PrepaRow[];
  renewals: Renewals;
}

/** From this number of days before its end, an access is shown to end soon, and a renewal is offered. */
const endsSoonDays = 7;

/** Returns the card of a subscription: days left, the learner's progress, the next step, and the offer of a renewal. */
export function presentSubscription(
  enrolment: EnrolmentRow,
  now: Date,
  { prepas: progress, builtUp }: StudyProgress,
  { published, renewals }: Offers,
) {
  const card = presentEnrolmentCard(enrolment, now);
  const read = card.active && enrolment.prepaId !== null ? progress[enrolment.prepaId] : undefined;
  const offer = published.find(({ id }) => id === enrolment.prepaId);
  return {
    ...card,
    endsSoon: card.active && card.joursRestants <= endsSoonDays,
    builtUp: builtUp && builtUp.prepaId === enrolment.prepaId ? describeBuiltUp(builtUp) : null,
    id: enrolment.id,
    progress: read ?? null,
    offer: offer ? presentOffer(offer, renewals) : null,
  };
}

type Subscription = ReturnType<typeof presentSubscription>;

/**
 * Selects the learner's next step (decision 102): in the prepa read last, then in the others, latest end first. Without any, the prepa
 * read last or one to renew is shown. `others` are the remaining subscriptions; `resume` is null when nothing is left.
 */
export function presentCurrent(subscriptions: Subscription[], { readLast }: Pick<StudyProgress, 'readLast'>) {
  const active = subscriptions.filter((subscription) => subscription.active);
  const inTurn = active.toSorted((one, other) => Number(other.prepaId === readLast) - Number(one.prepaId === readLast));
  const current = inTurn.find(({ progress }) => progress?.resume) ?? inTurn[0] ?? subscriptions.find(({ offer }) => offer !== null) ?? null;
  return { current, others: subscriptions.filter((subscription) => subscription !== current), resume: current?.progress?.resume ?? null };
}

/** Returns the data that open the payment dialog, and, for a prepa with access, the effect of a payment. */
export function presentOffer(prepa: PrepaRow, renewals: Offers['renewals']) {
  const { id, nom, prix, montant } = presentPrepaCard(prepa);
  return { id, nom, prix, montant, ...renewals.get(id) };
}

/** Returns the card of an open payment, with its prepa and its effect on a present access. Empty when the prepa is no longer offered. */
export function presentAttemptCard(attempt: OpenAttempt | undefined, prepaId: number, { published, renewals }: Offers) {
  const prepa = published.find(({ id }) => id === prepaId);
  const extension = renewals.get(prepaId);
  return attempt && prepa ? [{ ...attempt, offer: presentOffer(prepa, renewals), adds: extension ? willAddDays(extension) : null }] : [];
}
