import * as z from 'zod/mini';
import { tidyName, trimBlanks } from '../blanks.ts';

/** Schemas of form fields; each fault has its own French message. */

/** Returns a text field that must not be empty. */
export const required = (message: string) => z.string({ error: message }).check(z.minLength(1, { error: message }));

/**
 * Returns a text field that needs more than blanks. Blanks and invisible characters around the text are removed; line breaks become '\n'.
 */
export const requiredTrimmed = (message: string) =>
  z.string({ error: message }).check(
    z.overwrite((value) => trimBlanks(value.replaceAll(/\r\n?/g, '\n'))),
    z.minLength(1, { error: message }),
  );

const refused = { error: 'Ce texte contient des caractères qui ne peuvent pas être enregistrés' };

/** Returns a field of several lines, without characters that the database, a page or a terminal cannot show. */
export const requiredText = (message: string) =>
  requiredTrimmed(message).check(z.refine((value) => !hidden.test(value.replaceAll(/[\n\t]/g, '')) && visible.test(value), refused));

/** Returns a field for a name: the same on one line, with ordinary spaces only. */
export const requiredName = (message: string) =>
  requiredTrimmed(message).check(
    z.overwrite(tidyName),
    z.refine((value) => !hidden.test(value) && visible.test(value), refused),
  );

/** Control characters, unpaired surrogates, and characters that change the direction of the text around them. */
const hidden = /\p{Cc}|\p{Cs}|[\u2028\u2029\u202a-\u202e\u2066-\u2069]/u;
const visible = /[\p{L}\p{N}\p{P}\p{S}]/u;
