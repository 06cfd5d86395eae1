import * as z from 'zod/mini';
import { tidyName, trimBlanks } from '../blanks.ts';

/** Building blocks of the forms' rules, each fault with its own French message. */

/** A text field that must not be empty. */
export const required = (message: string) => z.string({ error: message }).check(z.minLength(1, { error: message }));

/** A text field that must hold more than spaces; those around it, and what has no width, are no part of it. Line ends are one character, however a form has sent them. */
export const requiredTrimmed = (message: string) =>
  z.string({ error: message }).check(
    z.overwrite((value) => trimBlanks(value.replaceAll(/\r\n?/g, '\n'))),
    z.minLength(1, { error: message }),
  );

const refused = { error: 'Ce texte contient des caractères qui ne peuvent pas être enregistrés' };

/** Text of several lines, without what the database, a page or a terminal cannot show as it is. */
export const requiredText = (message: string) =>
  requiredTrimmed(message).check(z.refine((value) => !hidden.test(value.replaceAll(/[\n\t]/g, '')) && visible.test(value), refused));

/** A name: the same, on one line, with spaces of one kind. */
export const requiredName = (message: string) =>
  requiredTrimmed(message).check(
    z.overwrite(tidyName),
    z.refine((value) => !hidden.test(value) && visible.test(value), refused),
  );

/** Control characters, halves of characters, and what turns the direction of the text around it. */
const hidden = /\p{Cc}|\p{Cs}|[\u2028\u2029\u202a-\u202e\u2066-\u2069]/u;
const visible = /[\p{L}\p{N}\p{P}\p{S}]/u;
