import * as z from 'zod/mini';
import { required } from './fields.ts';

const special = /[^\p{L}\p{N}\s]/u;
const hasEveryClass = (value: string) => /\p{Lu}/u.test(value) && /\p{Ll}/u.test(value) && /\p{Nd}/u.test(value) && special.test(value);

/** The one form in which a password is hashed and compared: keyboards write an accent as a part of its letter or behind it. */
export const composed = (password: string): string => password.normalize('NFC');

const longest = 100;

/** Whether it is no longer than a password can be, as it was typed or composed. */
export const isOfLength = (password: string): boolean => Math.min(password.length, composed(password).length) <= longest;

/** 8 to 100 characters, never trimmed; special is neither letter, digit nor space. */
export const newPasswordSchema = required('Le mot de passe est requis').check(
  z.overwrite(composed),
  z.minLength(8, { error: 'Le mot de passe doit contenir au moins 8 caractères' }),
  z.maxLength(longest, { error: 'Le mot de passe ne doit pas dépasser 100 caractères' }),
  z.refine((value) => !value.includes('\0'), { error: 'Le mot de passe contient un caractère qui ne peut pas être enregistré' }),
  z.refine(hasEveryClass, {
    error: 'Le mot de passe doit contenir au moins une majuscule, une minuscule, un chiffre et un caractère spécial',
  }),
);

/** One that is there already, whatever its characters, as it was typed. */
export const passwordSchema = (missing = 'Le mot de passe est requis') =>
  required(missing).check(z.refine(isOfLength, { error: 'Le mot de passe ne doit pas dépasser 100 caractères' }));

export const confirmPasswordSchema = required('La confirmation du mot de passe est requise').check(z.overwrite(composed));

/** For a form with `password` and `confirmPassword`: said beside the other fields' faults, not only once they are mended. */
export const confirmedBy = <Form extends { password: string; confirmPassword: string }>() =>
  z.refine<Form>((form) => composed(form.password) === composed(form.confirmPassword), {
    error: 'Les mots de passe doivent correspondre',
    path: ['confirmPassword'],
    when: ({ value }) => {
      const form = value as { password?: unknown; confirmPassword?: unknown } | null;
      return typeof form?.password === 'string' && typeof form.confirmPassword === 'string' && form.confirmPassword !== '';
    },
  });
