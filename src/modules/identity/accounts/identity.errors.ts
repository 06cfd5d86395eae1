import { AppError } from '../../../platform/errors.ts';
import type { FieldError } from '../../../shared/forms/field-errors.ts';

/** The same answer for an unknown e-mail and a wrong password. */
export const wrongCredentials = () => new AppError('SIGN_IN.WRONG_CREDENTIALS', 401, 'Email ou mot de passe incorrect');

/** Says nothing about the password, which was not checked. */
export const signInsBusy = () =>
  new AppError('SIGN_IN.BUSY', 503, 'Beaucoup de candidats se connectent en ce moment. Réessayez dans quelques secondes.', {
    retryAfter: 5,
  });

export const invalidForm = (errors: FieldError[]) =>
  new AppError('FORM.INVALID', 400, 'Certaines informations sont à corriger.', { errors });

export const alreadyTaken = (errors: FieldError[]) => new AppError('USER.TAKEN', 409, 'Ce compte existe déjà.', { errors });

export const signInRequired = () => new AppError('SESSION.MISSING', 401, 'Veuillez vous connecter pour accéder à vos préparations.');

export const administratorSignInRequired = () =>
  new AppError('SESSION.MISSING', 401, "Veuillez vous connecter pour accéder à l'administration.");

export const sessionExpired = () => new AppError('SESSION.EXPIRED', 401, 'Session expirée. Veuillez vous reconnecter.', { expired: true });

/** Only said to whoever has given the right password. */
export const administratorDisabled = () =>
  new AppError('ADMINISTRATOR.DISABLED', 403, 'Ce compte administrateur est désactivé. Adressez-vous à un super administrateur.');

/** One message for wrong, used, expired, revoked and mismatched keys: it tells nothing apart. */
export const keysRefused = () =>
  new AppError(
    'KEYS.REFUSED',
    403,
    "Ces clés d'administration ne permettent pas cette inscription. Vérifiez les deux clés et le rôle, ou demandez une nouvelle paire à l'administrateur principal.",
  );

/** One message for missing, unknown, used and expired links. */
export const resetGone = () =>
  new AppError(
    'PASSWORD_RESET.GONE',
    410,
    "Ce lien n'est plus valable : il a déjà servi, un autre l'a remplacé, ou il a plus d'une heure.",
  );

/** Another letter's link was followed in this browser since the form was shown. */
export const resetOfAnother = () =>
  new AppError(
    'PASSWORD_RESET.OTHER_ACCOUNT',
    409,
    'Un autre lien a été ouvert dans ce navigateur : le mot de passe serait celui du compte indiqué ici. Vérifiez, puis recommencez.',
  );

/** Production without a mail server. */
export const lettersUnavailable = (supportEmail: string) =>
  new AppError(
    'PASSWORD_RESET.UNAVAILABLE',
    503,
    `L'envoi de messages n'est pas disponible. Écrivez à ${supportEmail} depuis l'adresse de votre compte.`,
  );
