import { AppError, forbidden } from '../../../platform/errors.ts';
import type { FieldError } from '../../../shared/forms/field-errors.ts';

/** The same error for an unknown e-mail and a wrong password, so that it does not reveal accounts. */
export const wrongCredentials = () => new AppError('SIGN_IN.WRONG_CREDENTIALS', 401, 'Email ou mot de passe incorrect');

export const signInsBusyMessage = 'Beaucoup de candidats se connectent en ce moment. Réessayez dans quelques secondes.';

/** Thrown before the password is checked, so it reveals nothing about the password. */
export const signInsBusy = () => new AppError('SIGN_IN.BUSY', 503, signInsBusyMessage, { retryAfter: 5 });

export const invalidForm = (errors: FieldError[]) =>
  new AppError('FORM.INVALID', 400, 'Certaines informations sont à corriger.', { errors });

export const alreadyTaken = (errors: FieldError[]) => new AppError('USER.TAKEN', 409, 'Ce compte existe déjà.', { errors });

export const signInRequired = () => new AppError('SESSION.MISSING', 401, 'Veuillez vous connecter pour accéder à vos préparations.');

export const administratorSignInRequired = () =>
  new AppError('SESSION.MISSING', 401, "Veuillez vous connecter pour accéder à l'administration.");

/** @param ending the reason, when another person or device ended the session */
export const sessionExpired = (ending?: string | null) =>
  new AppError('SESSION.EXPIRED', 401, ending ?? 'Session expirée. Veuillez vous reconnecter.', { expired: true });

/** Thrown only after the right password, so that strangers do not learn about the block. @param message names the support */
export const learnerBlocked = (message: string) => new AppError('LEARNER.BLOCKED', 403, message);

/** Thrown only after the right password, so that strangers do not learn about the account. */
export const administratorDisabled = () =>
  new AppError('ADMINISTRATOR.DISABLED', 403, 'Ce compte administrateur est désactivé. Adressez-vous à un super administrateur.');

/** The same error for wrong, used, expired, revoked and mismatched keys, so that it does not reveal which case applies. */
export const keysRefused = () =>
  new AppError(
    'KEYS.REFUSED',
    403,
    "Ces clés d'administration ne permettent pas cette inscription. Vérifiez les deux clés et le rôle, ou demandez une nouvelle paire à l'administrateur principal.",
  );

/** The same error for missing, unknown, used and expired links. */
export const resetGone = () =>
  new AppError(
    'PASSWORD_RESET.GONE',
    410,
    "Ce lien n'est plus valable : il a déjà servi, un autre l'a remplacé, ou il a plus d'une heure.",
  );

/** A link from another e-mail was opened in this browser after the form was shown. */
export const resetOfAnother = () =>
  new AppError(
    'PASSWORD_RESET.OTHER_ACCOUNT',
    409,
    'Un autre lien a été ouvert dans ce navigateur : le mot de passe serait celui du compte indiqué ici. Vérifiez, puis recommencez.',
  );

/** E-mails cannot be sent: production runs without a mail server. */
export const lettersUnavailable = (supportEmail: string) =>
  new AppError(
    'PASSWORD_RESET.UNAVAILABLE',
    503,
    `L'envoi de messages n'est pas disponible. Écrivez à ${supportEmail} depuis l'adresse de votre compte.`,
  );

export const roleRefused = () => forbidden('Cette page est réservée aux super administrateurs.');

/** Thrown for a signed-in super administrator without a second factor, when the settings require one. */
export const secondFactorDemanded = () =>
  new AppError(
    'SECOND_FACTOR.DEMANDED',
    403,
    "Activez d'abord la validation en deux étapes : elle est obligatoire pour les super administrateurs.",
  );

/** The password was right, and the account has a second factor. The sign-in page continues to the page that asks for the code. */
export const codeRequired = () =>
  new AppError('SECOND_FACTOR.CODE_REQUIRED', 401, "Un code de votre application d'authentification est demandé.", {
    errors: [{ field: 'code', message: 'Le code est requis' }],
    details: { secondFactor: true },
  });

/** The password was given too long ago, or in another browser. */
export const signInGone = () => new AppError('SIGN_IN.GONE', 410, 'Cette connexion a expiré. Donnez à nouveau votre mot de passe.');

/** The same error for a wrong code, a used code and a used recovery code. */
export const wrongCode = () =>
  new AppError('SECOND_FACTOR.WRONG_CODE', 401, 'Code incorrect ou déjà utilisé', {
    errors: [{ field: 'code', message: "Code incorrect ou déjà utilisé. Avec l'application, attendez le code suivant." }],
  });

/** The stored secret was sealed with a key that the settings no longer hold. */
export const secondFactorUnreadable = () =>
  new AppError(
    'SECOND_FACTOR.UNREADABLE',
    503,
    "Les codes de l'application ne peuvent pas être vérifiés pour le moment. Utilisez un code de secours, ou adressez-vous à l'administrateur principal.",
  );

/** The same error for wrong, used and expired keys, and for an e-mail of another account. */
export const resetKeyRefused = () =>
  new AppError(
    'ADMINISTRATOR_RESET.REFUSED',
    403,
    "Cette clé ne correspond pas à cette adresse, a déjà servi, ou a plus d'une heure. Demandez une autre clé à l'administrateur principal.",
  );

/** Thrown for API calls; pages show a form for the password or a code instead. */
export const confirmationRequired = () =>
  new AppError(
    'ADMINISTRATOR.CONFIRMATION',
    403,
    'Cette action demande votre mot de passe ou un code donné il y a moins de 15 minutes. Confirmez sur /admin/confirmation, ou reconnectez-vous.',
    { details: { confirmation: true } },
  );

export const wrongConfirmation = () => invalidForm([{ field: 'confirmation', message: 'Mot de passe ou code incorrect' }]);
