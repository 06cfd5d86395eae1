import * as z from 'zod/mini';
import { required } from './fields.ts';

const special = /[^\p{L}\p{N}\s]/u;
const hasEveryClass = (value: string) => /\p{Lu}/u.test(value) && /\p{Ll}/u.test(value) && /\p{Nd}/u.test(value) && special.test(value);

/** Returns the form in which a password is hashed and compared: some keyboards send é as one character, others as e and an accent. */
export const composed = (password: string): string => password.normalize('NFC');

const longest = 100;

/** Returns whether a password is not too long, as typed or composed. */
export const isOfLength = (password: string): boolean => Math.min(password.length, composed(password).length) <= longest;

/** A new password: 8 to 100 characters, never trimmed. A special character is neither letter, digit nor space. */
export const newPasswordSchema = required('Le mot de passe est requis').check(
  z.overwrite(composed),
  z.minLength(8, { error: 'Le mot de passe doit contenir au moins 8 caractères' }),
  z.maxLength(longest, { error: 'Le mot de passe ne doit pas dépasser 100 caractères' }),
  z.refine((value) => !value.includes('\0'), { error: 'Le mot de passe contient un caractère qui ne peut pas être enregistré' }),
  z.refine(hasEveryClass, {
    error: 'Le mot de passe doit contenir au moins une majuscule, une minuscule, un chiffre et un caractère spécial',
  }),
);

/** Returns the schema of an existing password, with any characters, as typed. */
export const passwordSchema = (missing = 'Le mot de passe est requis') =>
  required(missing).check(z.refine(isOfLength, { error: 'Le mot de passe ne doit pas dépasser 100 caractères' }));

export const confirmPasswordSchema = required('La confirmation du mot de passe est requise').check(z.overwrite(composed));

/**
 * Returns a check that both passwords are equal. `when` lets it run even if other fields have faults, so that all faults are reported
 * together.
 */
export const confirmedBy = <Form extends { password: string; confirmPassword: string }>() =>
  z.refine<Form>((form) => composed(form.password) === composed(form.confirmPassword), {
    error: 'Les mots de passe doivent correspondre',
    path: ['confirmPassword'],
    when: ({ value }) => {
      const form = value as { password?: unknown; confirmPassword?: unknown } | null;
      return typeof form?.password === 'string' && typeof form.confirmPassword === 'string' && form.confirmPassword !== '';
    },
  });
