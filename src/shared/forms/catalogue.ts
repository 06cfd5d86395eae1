import * as z from 'zod/mini';
import { requiredName, requiredText } from './fields.ts';

/** Rules and messages of specification §5 for prepas and disciplines, used in the form and on the server. */

/** Largest uploaded image, in bytes. */
export const maxImageBytes = 2 * 1024 * 1024;
/** Highest price, in XAF. */
const maxPrix = 10_000_000;

export const prepaNom = requiredName('Le nom est requis').check(
  z.minLength(3, { error: 'Le nom doit contenir au moins 3 caractères' }),
  z.maxLength(150, { error: 'Le nom ne doit pas dépasser 150 caractères' }),
);

const prepaDescription = requiredText('La description est requise').check(
  z.maxLength(5000, { error: 'La description ne doit pas dépasser 5 000 caractères' }),
);

/** A price in whole XAF, as a form field sends it; '15 000' with spaces is accepted. */
const prix = z.pipe(
  z.string({ error: 'Le prix est requis' }).check(
    z.overwrite((value) => value.replaceAll(/\s/g, '')),
    z.minLength(1, { error: 'Le prix est requis' }),
    // Spaces are the only separator: a point means thousands to some people and decimals to others.
    z.regex(/^[+-]?\d+$/, 'Le prix doit être un nombre entier, en XAF'),
    z.refine((value) => Number(value) > 0, { error: 'Le prix doit être positif' }),
    z.refine((value) => Number(value) <= maxPrix, { error: 'Le prix ne doit pas dépasser 10 000 000 XAF' }),
  ),
  z.transform(Number),
);

export const prepaSchema = z.object({ nom: prepaNom, description: prepaDescription, prix });

export const disciplineSchema = z.object({
  nom: requiredName('Le nom de la discipline est requis').check(
    z.minLength(3, { error: 'Le nom doit contenir au moins 3 caractères' }),
    z.maxLength(100, { error: 'Le nom ne doit pas dépasser 100 caractères' }),
  ),
  description: requiredText('La description de la discipline est requise').check(
    z.maxLength(500, { error: 'La description ne doit pas dépasser 500 caractères' }),
  ),
});
