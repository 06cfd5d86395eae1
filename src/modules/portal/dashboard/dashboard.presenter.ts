import type { StudyProgress } from '../../../shared/study/progress.ts';
import { type PrepaRow, presentPrepaCard } from '../../catalogue/index.ts';
import { type EnrolmentRow, presentEnrolmentCard, willAddDays } from '../../enrolment/index.ts';
import type { OpenAttempt } from '../../payment/index.ts';
import type { Renewals } from '../catalogue/catalogue.presenter.ts';

interface Offers {
  published: PrepaRow[];
  renewals: Renewals;
}

/** A subscription's card: how long it lasts, how far the learner is, where they stopped, and what is paid for when it is renewed. */
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
 * What a learner is doing comes first: the prepa that they read last, else the one that lasts longest, else one to renew. `others` is what else they are
 * enrolled in; `resume` where they go on in it, null where nothing is left.
 */
export function presentCurrent(subscriptions: Subscription[], { readLast }: Pick<StudyProgress, 'readLast'>) {
  const active = subscriptions.filter((subscription) => subscription.active);
  const read = active.find(({ prepaId }) => prepaId === readLast);
  const current = read ?? active[0] ?? subscriptions.find(({ offer }) => offer !== null) ?? null;
  return { current, others: subscriptions.filter((subscription) => subscription !== current), resume: read?.progress?.resume ?? null };
}

/** What the payment dialog is opened with, and of a prepa that is open to the learner what a payment adds. */
export function presentOffer(prepa: PrepaRow, renewals: Offers['renewals']) {
  const { id, nom, prix, montant } = presentPrepaCard(prepa);
  return { id, nom, prix, montant, ...renewals.get(id) };
}

/** A payment that was begun and has no outcome yet, what it is for, and what it adds to an access that is open. Empty for a prepa that is no longer proposed. */
export function presentAttemptCard(attempt: OpenAttempt | undefined, prepaId: number, { published, renewals }: Offers) {
  const prepa = published.find(({ id }) => id === prepaId);
  const extension = renewals.get(prepaId);
  return attempt && prepa ? [{ ...attempt, offer: presentOffer(prepa, renewals), adds: extension ? willAddDays(extension) : null }] : [];
}
