import * as z from 'zod/mini';

/** Rules and messages of specification §5, the same in the form and on the server. */

const special = /[^\p{L}\p{N}\s]/u;
const hasEveryClass = (value: string) => /\p{Lu}/u.test(value) && /\p{Ll}/u.test(value) && /\p{Nd}/u.test(value) && special.test(value);

const required = (message: string) => z.string({ error: message }).check(z.minLength(1, { error: message }));

export const usernameSchema = required("Le nom d'utilisateur est requis").check(
  z.minLength(3, { error: "Le nom d'utilisateur doit contenir au moins 3 caractères" }),
  z.maxLength(30, { error: "Le nom d'utilisateur ne doit pas dépasser 30 caractères" }),
  z.regex(/^[A-Za-z0-9_]+$/, "Le nom d'utilisateur ne peut contenir que des lettres, des chiffres et des underscores"),
);

const emailSchema = required("L'email est requis").check(
  z.trim(),
  z.maxLength(255, { error: "L'email ne doit pas dépasser 255 caractères" }),
  z.email({ error: 'Email invalide' }),
);

/** 8 to 100 characters, never trimmed; special is neither letter, digit nor space. */
export const newPasswordSchema = required('Le mot de passe est requis').check(
  z.minLength(8, { error: 'Le mot de passe doit contenir au moins 8 caractères' }),
  z.maxLength(100, { error: 'Le mot de passe ne doit pas dépasser 100 caractères' }),
  z.refine(hasEveryClass, {
    error: 'Le mot de passe doit contenir au moins une majuscule, une minuscule, un chiffre et un caractère spécial',
  }),
);

/** @param allowedDomains e-mail domains that learners may register with, in lower case */
export function registrationSchema(allowedDomains: readonly string[]) {
  return z
    .object({
      username: usernameSchema,
      email: emailSchema.check(
        z.refine((value) => allowedDomains.includes(value.slice(value.lastIndexOf('@') + 1).toLowerCase()), {
          error: "Domaine d'email non autorisé",
        }),
      ),
      password: newPasswordSchema,
      confirmPassword: required('La confirmation du mot de passe est requise'),
    })
    .check(
      z.refine((form) => form.password === form.confirmPassword, {
        error: 'Les mots de passe doivent correspondre',
        path: ['confirmPassword'],
        // Said beside the other fields' faults, not only once they are mended.
        when: ({ value }) => {
          const form = value as { password?: unknown; confirmPassword?: unknown } | null;
          return typeof form?.password === 'string' && typeof form.confirmPassword === 'string' && form.confirmPassword !== '';
        },
      }),
    );
}

export const signInSchema = z.object({
  email: emailSchema,
  password: required('Le mot de passe est requis').check(
    z.maxLength(100, { error: 'Le mot de passe ne doit pas dépasser 100 caractères' }),
  ),
});

export type Registration = z.infer<ReturnType<typeof registrationSchema>>;
export type SignIn = z.infer<typeof signInSchema>;
