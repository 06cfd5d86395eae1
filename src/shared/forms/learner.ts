import * as z from 'zod/mini';
import { required, requiredTrimmed } from './fields.ts';
import { confirmedBy, confirmPasswordSchema, newPasswordSchema, passwordSchema } from './password.ts';

/** Rules and messages of specification §5, used in the form and on the server. */

export const usernameSchema = required("Le nom d'utilisateur est requis").check(
  z.minLength(3, { error: "Le nom d'utilisateur doit contenir au moins 3 caractères" }),
  z.maxLength(30, { error: "Le nom d'utilisateur ne doit pas dépasser 30 caractères" }),
  z.regex(/^[A-Za-z0-9_]+$/, "Le nom d'utilisateur ne peut contenir que des lettres, des chiffres et des underscores"),
);

export const emailSchema = requiredTrimmed("L'email est requis").check(
  z.maxLength(255, { error: "L'email ne doit pas dépasser 255 caractères" }),
  z.email({ error: 'Email invalide' }),
);

/** Fields that learners fill in at registration and on their profile. Rows, API responses and pages take their fields from here. */
export const profileSchema = z.object({ username: usernameSchema });

/** @param allowedDomains domains of e-mail addresses with which learners may register, in lower case */
export function registrationSchema(allowedDomains: readonly string[]) {
  return z
    .object({
      ...profileSchema.shape,
      email: emailSchema.check(
        z.refine((value) => allowedDomains.includes(value.slice(value.lastIndexOf('@') + 1).toLowerCase()), {
          error: "Domaine d'email non autorisé",
        }),
      ),
      password: newPasswordSchema,
      confirmPassword: confirmPasswordSchema,
    })
    .check(confirmedBy());
}

export const signInSchema = z.object({
  email: emailSchema,
  password: passwordSchema(),
});

/** Fields of the registration, in the order of its form. */
export const registrationFields = Object.keys(registrationSchema([]).shape);
