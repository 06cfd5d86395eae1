import type { StudyProgress } from '../../../shared/study/progress.ts';
import { type PrepaRow, presentPrepaCard } from '../../catalogue/index.ts';
import { type EnrolmentRow, presentEnrolmentCard, willAddDays } from '../../enrolment/index.ts';
import type { OpenAttempt } from '../../payment/index.ts';
import type { Renewals } from '../catalogue/catalogue.presenter.ts';

interface Offers {
  published: PrepaRow[];
  renewals: Renewals;
}

/** Returns the card of a subscription: days left, the learner's progress, the item to resume, and the offer of a renewal. */
export function presentSubscription(
  enrolment: EnrolmentRow,
  now: Date,
  { prepas: progress }: StudyProgress,
  { published, renewals }: Offers,
) {
  const card = presentEnrolmentCard(enrolment, now);
  const read = card.active && enrolment.prepaId !== null ? progress[enrolment.prepaId] : undefined;
  const offer = published.find(({ id }) => id === enrolment.prepaId);
  return { ...card, id: enrolment.id, progress: read ?? null, offer: offer ? presentOffer(offer, renewals) : null };
}

type Subscription = ReturnType<typeof presentSubscription>;

/**
 * Selects the subscription to show first: the prepa read last, else the one with the latest end, else one to renew. `others` are the
 * remaining ones; `resume` is the item to continue with, null when none is left.
 */
export function presentCurrent(subscriptions: Subscription[], { readLast }: Pick<StudyProgress, 'readLast'>) {
  const active = subscriptions.filter((subscription) => subscription.active);
  const read = active.find(({ prepaId }) => prepaId === readLast);
  const current = read ?? active[0] ?? subscriptions.find(({ offer }) => offer !== null) ?? null;
  return { current, others: subscriptions.filter((subscription) => subscription !== current), resume: read?.progress?.resume ?? null };
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
