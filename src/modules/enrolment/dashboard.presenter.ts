import { type PrepaRow, presentPrepaCard } from '../catalogue/index.ts';
import { type OpenAttempt, type PaymentProviders, presentOpenAttempt } from '../payment/index.ts';
import type { StudyProgress } from './contributions.ts';
import type { OpenPaymentRow } from './dashboard.repository.ts';
import { presentEnrolmentCard } from './enrolment.presenter.ts';
import type { EnrolmentRow } from './enrolment.repository.ts';

/** A subscription's card: how long it lasts, how far the learner is, where they stopped, and what is paid for when it is renewed. */
export function presentSubscription(enrolment: EnrolmentRow, now: Date, { prepas: progress }: StudyProgress, published: PrepaRow[]) {
  const card = presentEnrolmentCard(enrolment, now);
  const read = card.active && enrolment.prepa_id !== null ? progress[enrolment.prepa_id] : undefined;
  const offer = published.find(({ id }) => id === enrolment.prepa_id);
  return { ...card, id: enrolment.id, progress: read ?? null, offer: offer ? presentOffer(offer) : null };
}

/** What the payment dialog is opened with. */
export function presentOffer(prepa: PrepaRow) {
  const { id, nom, prix, montant } = presentPrepaCard(prepa);
  return { id, nom, prix, montant };
}

/** A learner's open payments by prepa, as the payment dialog looks them up. */
export const presentAttempts = (providers: PaymentProviders, rows: OpenPaymentRow[]): Record<number, OpenAttempt> =>
  Object.fromEntries(rows.map((row) => [row.prepaId, presentOpenAttempt(providers, row)]));

/** A payment that was begun and has no outcome yet, and what it is for. Empty for a prepa that is no longer proposed. */
export function presentAttemptCard(attempt: OpenAttempt | undefined, prepaId: number, published: PrepaRow[]) {
  const prepa = published.find(({ id }) => id === prepaId);
  return attempt && prepa ? [{ ...attempt, offer: presentOffer(prepa) }] : [];
}
