import { notFound } from '../../../platform/errors.ts';

/** How a session is named where it is listed and ended: too short to be turned back into what is stored, let alone into its token. */

/** SQL: 16 hexadecimal digits of the hash of a row's `id`. */
export const shownId = "left(encode(sha256(convert_to(id, 'UTF8')), 'hex'), 16)";

/** Whether this can be such a name. Anything else may hold what a statement cannot. */
export const isShownId = (text: string): boolean => /^[0-9a-f]{16}$/.test(text);

export const sessionGone = () => notFound("Cette session n'existe pas, ou s'est déjà terminée.");
