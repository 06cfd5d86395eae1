import * as z from 'zod/mini';

/** Building blocks of the forms' rules, each fault with its own French message. */

/** A text field that must not be empty. */
export const required = (message: string) => z.string({ error: message }).check(z.minLength(1, { error: message }));

/** A text field that must hold more than spaces. */
export const requiredTrimmed = (message: string) => z.string({ error: message }).check(z.trim(), z.minLength(1, { error: message }));

/** Text that a person types, without what the database or a page cannot hold. */
export const requiredText = (message: string) =>
  requiredTrimmed(message).check(
    z.refine((value) => !unprintable.test(value), { error: 'Ce texte contient des caractères qui ne peuvent pas être enregistrés' }),
  );

// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for; tab and line ends are fine
const unprintable = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]|\p{Surrogate}/u;
