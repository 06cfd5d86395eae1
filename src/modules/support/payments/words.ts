import type { ExtensionSource } from '../../enrolment/index.ts';
import type { PaymentActor, PaymentDecision, PaymentStatus } from '../../payment/index.ts';

/** French names of stored words about payments. */

export { providerName } from '../../payment/index.ts';

export const statusNames: Record<PaymentStatus, string> = {
  created: 'Commencé',
  pending: 'En attente',
  succeeded: 'Payé',
  failed: 'Échoué',
  cancelled: 'Annulé',
  expired: 'Expiré',
  refunded: 'Remboursé',
  review: "À l'examen",
};

export const statusName = (status: PaymentStatus): string => statusNames[status];

/** Kind of badge by state. */
export const statusKinds: Record<PaymentStatus, 'success' | 'warning' | 'error' | 'info'> = {
  created: 'info',
  pending: 'info',
  succeeded: 'success',
  failed: 'error',
  cancelled: 'error',
  expired: 'error',
  refunded: 'warning',
  review: 'warning',
};

const actorNames: Record<PaymentActor, string> = {
  learner: 'le candidat',
  'provider-notification': 'une notification du prestataire',
  'browser-return': 'le retour du navigateur',
  reconciliation: 'la vérification automatique',
  operator: 'un opérateur',
};

/** Returns the cause of an event. @param operator the operator's name, if the cause is an operator */
export const actorName = (actor: PaymentActor, operator: string | null): string =>
  operator === 'terminal' ? 'le terminal' : (operator ?? actorNames[actor] ?? actor);

const answerNames: Record<string, string> = {
  succeeded: 'payé',
  failed: 'échoué',
  cancelled: 'annulé',
  expired: 'expiré',
  refunded: 'remboursé',
  partly_refunded: 'payé, puis remboursé en partie',
  pending: 'en attente',
  incomplete: 'payé en partie seulement',
  not_found: 'paiement inconnu de lui',
  mismatch: 'un autre montant ou une autre devise',
  sandbox: "paiement d'essai",
  unknown: 'pas de réponse',
};

export const answerName = (kind: unknown): string => answerNames[String(kind)] ?? String(kind);

/** Note of an attempt that expired because its provider never knew it. */
export const neverSeen = 'never seen by the provider';

const noteNames: Record<string, string> = {
  mismatch: 'le prestataire annonce un autre montant ou une autre devise que les nôtres',
  sandbox: "le prestataire dit que c'est un paiement d'essai, fait avec des clés de test : aucun argent n'est arrivé",
  refunded: "le prestataire dit avoir rendu la somme avant que nous l'ayons vue payée",
  'no outcome after 72 h': 'aucune issue après 72 heures',
  [neverSeen]: "le prestataire ne l'a jamais vu : le candidat n'a sans doute pas commencé à payer",
  'the prepa has been deleted': "la préparation n'existe plus : la somme est à rendre",
};

/** Returns the reason of a transition, when the provider's answer alone does not explain it. */
export const noteName = (note: string): string => noteNames[note] ?? note;

export const decisionNames: Record<PaymentDecision, string> = {
  refund: 'Remboursement enregistré',
  review: "Mis à l'examen",
  close: 'Classé sans suite',
  acknowledge: 'Remboursement partiel vu',
};

export const sourceNames: Record<ExtensionSource, string> = {
  payment: 'paiement',
  grant: 'accordés par le support',
  withdrawal: 'retirés par le support',
  refund: 'repris après remboursement',
};
