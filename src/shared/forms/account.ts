import * as z from 'zod/mini';
import { emailSchema } from './learner.ts';
import { confirmedBy, confirmPasswordSchema, newPasswordSchema, passwordSchema } from './password.ts';

/** Schemas of the forms that change an existing learner's password. They have the rules of the registration (specification §5). */

const newPassword = { password: newPasswordSchema, confirmPassword: confirmPasswordSchema };

export const passwordChangeSchema = z
  .object({
    currentPassword: passwordSchema('Le mot de passe actuel est requis'),
    ...newPassword,
  })
  .check(confirmedBy());

/** Checks the form for a forgotten password: the account's e-mail address, with any domain. */
export const forgottenPasswordSchema = z.object({ email: emailSchema });

export const passwordResetSchema = z.object(newPassword).check(confirmedBy());
