import * as z from 'zod/mini';
import { emailSchema } from './learner.ts';
import { confirmedBy, confirmPasswordSchema, newPasswordSchema, passwordSchema } from './password.ts';

/** What a learner changes of an account that is there already. The rules are those of a registration (specification §5). */

const newPassword = { password: newPasswordSchema, confirmPassword: confirmPasswordSchema };

export const passwordChangeSchema = z
  .object({
    currentPassword: passwordSchema('Le mot de passe actuel est requis'),
    ...newPassword,
  })
  .check(confirmedBy());

/** For whoever has forgotten it: the address of the account, whatever its domain. */
export const forgottenPasswordSchema = z.object({ email: emailSchema });

export const passwordResetSchema = z.object(newPassword).check(confirmedBy());
