import * as z from 'zod/mini';
import { hidden, tidyName, trimBlanks, visible } from '../blanks.ts';

/** Schemas of form fields. The caller gives the French error message of an empty field. */

/** Returns a text field that must not be empty. */
export const required = (message: string) => z.string({ error: message }).check(z.minLength(1, { error: message }));

/**
 * Returns a text field that must contain more than blanks. It removes blanks and invisible characters around the text; line breaks become
 * '\n'.
 */
export const requiredTrimmed = (message: string) =>
  z.string({ error: message }).check(
    z.overwrite((value) => trimBlanks(value.replaceAll(/\r\n?/g, '\n'))),
    z.minLength(1, { error: message }),
  );

const refused = { error: 'Ce texte contient des caractères qui ne peuvent pas être enregistrés' };

/** Returns a field of several lines that refuses control characters and texts without any visible character. */
export const requiredText = (message: string) =>
  requiredTrimmed(message).check(z.refine((value) => !hidden.test(value.replaceAll(/[\n\t]/g, '')) && visible.test(value), refused));

/** Returns a one-line field for a name, with the rules of `requiredText`. Spaces of every kind become ordinary spaces. */
export const requiredName = (message: string) =>
  requiredTrimmed(message).check(
    z.overwrite(tidyName),
    z.refine((value) => !hidden.test(value) && visible.test(value), refused),
  );
