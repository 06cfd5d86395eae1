import * as z from 'zod/mini';
import { required } from './fields.ts';
import { emailSchema } from './learner.ts';
import { confirmedBy, confirmPasswordSchema, newPasswordSchema } from './password.ts';

/** What a learner changes of an account that is there already. The rules are those of a registration (specification §5). */

const newPassword = { password: newPasswordSchema, confirmPassword: confirmPasswordSchema };

export const passwordChangeSchema = z
  .object({
    currentPassword: required('Le mot de passe actuel est requis').check(
      z.maxLength(100, { error: 'Le mot de passe ne doit pas dépasser 100 caractères' }),
    ),
    ...newPassword,
  })
  .check(confirmedBy());

/** For whoever has forgotten it: the address of the account, whatever its domain. */
export const forgottenPasswordSchema = z.object({ email: emailSchema });

export const passwordResetSchema = z.object(newPassword).check(confirmedBy());
