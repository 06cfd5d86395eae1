import { notFound } from '../../../platform/errors.ts';

/** Public ids of sessions, for listing and ending them. They are too short to derive the stored hash from them, let alone the token. */

/** SQL of the public id: 16 hexadecimal digits of the hash of the row's `id`. */
export const shownId = "left(encode(sha256(convert_to(id, 'UTF8')), 'hex'), 16)";

/** Returns whether a text has the form of a public id. Other texts may hold characters that a statement cannot. */
export const isShownId = (text: string): boolean => /^[0-9a-f]{16}$/.test(text);

export const sessionGone = () => notFound("Cette session n'existe pas, ou s'est déjà terminée.");
