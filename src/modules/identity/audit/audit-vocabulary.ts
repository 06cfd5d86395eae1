import { byKind, kindDetails } from '../../../shared/item-kinds.ts';

/** The stored words for actions and objects, with their French names on the audit page. */

export const auditActions = {
  created: 'Création',
  updated: 'Modification',
  published: 'Publication',
  unpublished: 'Dépublication',
  deleted: 'Suppression',
  registered: 'Inscription',
  disabled: 'Désactivation',
  enabled: 'Réactivation',
  unlocked: 'Déblocage',
  blocked: 'Blocage du compte',
  unblocked: 'Fin du blocage du compte',
  erased: 'Effacement',
  issued: 'Émission',
  revoked: 'Révocation',
  granted: 'Accès accordé',
  withdrawn: 'Accès retiré',
  restored: 'Accès rétabli',
  refunded: 'Remboursement',
  reviewed: "Mise à l'examen",
  closed: 'Classement sans suite',
  acknowledged: 'Remboursement partiel vu',
  answered: 'Réponse',
  loaded: 'Chargement de contenus',
  'signed-in': 'Connexion',
  'sign-in-failed': 'Connexion refusée',
  'attempts-limited': 'Trop de tentatives',
  refused: 'Accès refusé',
  exported: 'Export',
  'password-changed': 'Changement de mot de passe',
  'reset-issued': 'Clé pour un nouveau mot de passe',
  'password-reset': 'Nouveau mot de passe par une clé',
  'second-factor-set': 'Validation en deux étapes activée',
  'second-factor-removed': 'Validation en deux étapes retirée',
  'codes-renewed': 'Nouveaux codes de secours',
  'sessions-ended': 'Sessions terminées',
  'confirmation-failed': 'Confirmation refusée',
} as const;
export type AuditAction = keyof typeof auditActions;

export const auditSubjects = {
  prepa: 'Préparation',
  discipline: 'Discipline',
  diagnostic: 'Diagnostic',
  ...byKind((kind) => kindDetails[kind].name),
  learner: 'Candidat',
  administrator: 'Administrateur',
  keys: "Clés d'administration",
  enrolment: 'Inscription',
  payment: 'Paiement',
  content: 'Contenus',
  report: 'Signalement',
  page: 'Page',
} as const;
export type AuditSubject = keyof typeof auditSubjects;
