import { AppError, type FieldError } from '../../platform/errors.ts';

/** The same answer for an unknown e-mail and a wrong password. */
export const wrongCredentials = () => new AppError('SIGN_IN.WRONG_CREDENTIALS', 401, 'Email ou mot de passe incorrect');

export const invalidForm = (errors: FieldError[]) =>
  new AppError('FORM.INVALID', 400, 'Certaines informations sont à corriger.', { errors });

export const alreadyTaken = (errors: FieldError[]) => new AppError('USER.TAKEN', 409, 'Ce compte existe déjà.', { errors });

export const signInRequired = () => new AppError('SESSION.MISSING', 401, 'Veuillez vous connecter pour accéder à vos préparations.');

export const sessionExpired = () => new AppError('SESSION.EXPIRED', 401, 'Session expirée. Veuillez vous reconnecter.', { expired: true });
