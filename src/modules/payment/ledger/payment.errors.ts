import { AppError, notFound, tooManyRequests } from '../../../platform/errors.ts';
import { formatXaf } from '../../../shared/money.ts';
import type { PaymentStatus } from './payment.entity.ts';

/** Specification §5. */
export const signInToPay = () => new AppError('PAYMENT.SIGN_IN_REQUIRED', 401, 'Vous devez être connecté pour effectuer un paiement');

export const prepaUnavailable = () => notFound("Cette préparation n'est pas disponible.");

export const paymentNotFound = () => notFound("Ce paiement n'existe pas.");

export const unknownProvider = () =>
  new AppError('PAYMENT.UNKNOWN_PROVIDER', 400, "Ce moyen de paiement n'existe pas.", {
    errors: [{ field: 'provider', message: "Ce moyen de paiement n'existe pas." }],
  });

const refusals = {
  refund: "Seul un paiement réussi ou à l'examen peut être remboursé.",
  review: "Ce paiement a déjà une issue définitive : il ne peut plus être mis à l'examen.",
  close: "Seul un paiement à l'examen peut être classé.",
  acknowledge: "Ce paiement n'a pas de remboursement partiel à regarder.",
} as const;

/** The payment's state does not allow the operator's decision; mostly another administrator has just decided. */
export const decisionRefused = (decision: keyof typeof refusals, from: string) =>
  new AppError('PAYMENT.DECISION_REFUSED', 409, decision === from ? "Ce paiement est déjà à l'examen." : refusals[decision], {
    cause: `from ${from}`,
  });

const refundAmount = (status: number, message: string) =>
  new AppError('PAYMENT.REFUND_AMOUNT', status, message, { errors: [{ field: 'montant', message }] });

/** @param left amount not refunded yet, in whole XAF */
export const refundTooMuch = (left: number) =>
  refundAmount(400, `Le montant rendu doit être un nombre entier de 1 à ${left} : ${formatXaf(left)} au plus peuvent encore être rendus.`);

/** @param total amount refunded by now, in whole XAF: more than the page has shown */
export const returnedMeanwhile = (total: number) =>
  new AppError(
    'PAYMENT.CHANGED',
    409,
    `Ce qui a été rendu de ce paiement a changé entre-temps (${formatXaf(total)} en tout) : relisez-le avant de recommencer.`,
  );

export const partOfReview = () =>
  refundAmount(409, "Un paiement à l'examen se rembourse en entier ou pas du tout : laissez le montant vide.");

/** The attempt that would have been resumed turns out to be paid, which prevents a second payment. */
export const alreadyPaid = () =>
  new AppError('PAYMENT.ALREADY_PAID', 409, "Votre paiement vient d'être confirmé. Rechargez la page pour accéder à la préparation.");

/** @param seconds time until the learner may begin another payment */
export const tooManyStarts = (seconds: number) =>
  tooManyRequests(seconds, (wait) => `Vous avez commencé trop de paiements en peu de temps. Réessayez dans ${wait}.`);

/** Open payments prevent an erasure: each must get an outcome from the provider or an administrator. */
export const paymentsOpen = (open: readonly { reference: string; amount: number; status: PaymentStatus }[]) => {
  const named = open.map(
    ({ reference, amount, status }) => `${reference} (${formatXaf(amount)}, ${status === 'review' ? "à l'examen" : 'en attente'})`,
  );
  const rule = "Ce compte ne peut pas être effacé tant que des paiements n'ont pas d'issue";
  return new AppError('PAYMENT.OPEN', 409, `${rule} : ${named.join(', ')}. Vérifiez-les, ou décidez-en, puis recommencez.`);
};

/** Specification §8. */
export const startFailed = (cause: string) =>
  new AppError('PAYMENT.START_FAILED', 502, "Erreur lors de l'initialisation du paiement", { cause });

/** Specification §5. */
export const paymentSystemUnavailable = (cause?: unknown) =>
  new AppError('PAYMENT.UNAVAILABLE', 503, 'Système de paiement non disponible. Veuillez réessayer.', { cause });
