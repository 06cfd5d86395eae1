import * as z from 'zod/mini';
import { trimBlanks } from '../blanks.ts';
import { required, requiredTrimmed } from './fields.ts';
import { usernameSchema } from './learner.ts';
import { confirmedBy, confirmPasswordSchema, newPasswordSchema, passwordSchema } from './password.ts';

/** Rules and messages of specification §5, 'Admin registration', used in the form and on the server. */

export const administratorRoles = ['admin', 'super_admin'] as const;
export type AdministratorRole = (typeof administratorRoles)[number];
export const roleNames: Record<AdministratorRole, string> = { admin: 'Admin', super_admin: 'Super Admin' };

const emailSchema = requiredTrimmed("L'email est requis").check(
  z.maxLength(255, { error: "L'email ne doit pas dépasser 255 caractères" }),
  z.email({ error: "Format d'email invalide" }),
);

/** Keys are copied from a message, so spaces around them are removed. */
const keySchema = (number: 1 | 2) =>
  z
    .string({ error: `La clé d'administration ${number} est requise` })
    .check(
      z.overwrite(trimBlanks),
      z.minLength(1, { error: `La clé d'administration ${number} est requise` }),
      z.minLength(8, { error: `La clé d'administration ${number} doit contenir au moins 8 caractères` }),
      z.maxLength(50, { error: `La clé d'administration ${number} ne doit pas dépasser 50 caractères` }),
    );

const roleSchema = required('Le rôle est requis').check(
  z.refine((value) => administratorRoles.includes(value as AdministratorRole), { error: 'Rôle invalide' }),
);

export const administratorRegistrationSchema = z
  .object({
    adminKey1: keySchema(1),
    adminKey2: keySchema(2),
    username: usernameSchema,
    email: emailSchema,
    password: newPasswordSchema,
    confirmPassword: confirmPasswordSchema,
    role: z.pipe(roleSchema, z.enum(administratorRoles, { error: 'Rôle invalide' })),
  })
  .check(confirmedBy());

/** The six digits of an authenticator application, or a recovery code, with any spacing. */
const codeSchema = requiredTrimmed('Le code est requis').check(z.maxLength(40, { error: 'Le code ne doit pas dépasser 40 caractères' }));

export const administratorCodeSchema = z.object({ code: codeSchema });

export const administratorSignInSchema = z.object({
  email: emailSchema,
  password: passwordSchema(),
  /** Second factor. API clients send it with the password; the site asks for it on a second page. */
  code: z.optional(
    z
      .string({ error: 'Le code est incorrect' })
      .check(z.overwrite(trimBlanks), z.maxLength(40, { error: 'Le code ne doit pas dépasser 40 caractères' })),
  ),
});

/** Resets a password with a key that an operator's command has printed. */
export const administratorResetSchema = z
  .object({
    email: emailSchema,
    key: requiredTrimmed('La clé est requise').check(z.maxLength(60, { error: 'La clé ne doit pas dépasser 60 caractères' })),
    password: newPasswordSchema,
    confirmPassword: confirmPasswordSchema,
  })
  .check(confirmedBy());
