import * as z from 'zod/mini';
import { required } from './fields.ts';

const special = /[^\p{L}\p{N}\s]/u;
const hasEveryClass = (value: string) => /\p{Lu}/u.test(value) && /\p{Ll}/u.test(value) && /\p{Nd}/u.test(value) && special.test(value);

/** 8 to 100 characters, never trimmed; special is neither letter, digit nor space. */
export const newPasswordSchema = required('Le mot de passe est requis').check(
  z.minLength(8, { error: 'Le mot de passe doit contenir au moins 8 caractères' }),
  z.maxLength(100, { error: 'Le mot de passe ne doit pas dépasser 100 caractères' }),
  z.refine(hasEveryClass, {
    error: 'Le mot de passe doit contenir au moins une majuscule, une minuscule, un chiffre et un caractère spécial',
  }),
);

/** One that is there already, whatever its characters. */
export const passwordSchema = (missing = 'Le mot de passe est requis') =>
  required(missing).check(z.maxLength(100, { error: 'Le mot de passe ne doit pas dépasser 100 caractères' }));

export const confirmPasswordSchema = required('La confirmation du mot de passe est requise');

/** For a form with `password` and `confirmPassword`: said beside the other fields' faults, not only once they are mended. */
export const confirmedBy = <Form extends { password: string; confirmPassword: string }>() =>
  z.refine<Form>((form) => form.password === form.confirmPassword, {
    error: 'Les mots de passe doivent correspondre',
    path: ['confirmPassword'],
    when: ({ value }) => {
      const form = value as { password?: unknown; confirmPassword?: unknown } | null;
      return typeof form?.password === 'string' && typeof form.confirmPassword === 'string' && form.confirmPassword !== '';
    },
  });
