import * as z from 'zod/mini';
import { requiredTrimmed } from './fields.ts';

/** Rules and messages of specification §5 for lessons, exercises and past subjects, the same on the screen, on the server and in the seed. */

export const titreSchema = requiredTrimmed('Le titre est requis').check(
  z.minLength(3, { error: 'Le titre doit contenir au moins 3 caractères' }),
  z.maxLength(100, { error: 'Le titre ne doit pas dépasser 100 caractères' }),
  z.regex(/^[\p{L}\p{M}\p{Nd} _-]+$/u, {
    error: 'Le titre ne doit contenir que des lettres, des chiffres, des espaces, des tirets et des underscores',
  }),
);

const required = { error: "L'année est requise" };

/** As a form sends it or as a number; answers the number. @param currentYear in Africa/Douala */
export const anneeSchema = (currentYear: number) =>
  z.pipe(
    z.pipe(
      z.union([z.string(), z.number()], required),
      z.transform((value) => String(value).trim()),
    ),
    z.pipe(
      z.string().check(
        z.refine((value) => value !== '', { ...required, abort: true }),
        z.refine((value) => /^[+-]?\d{1,9}$/.test(value), { error: "L'année doit être un nombre entier", abort: true }),
        z.refine((value) => Number(value) >= 1900, { error: "L'année doit être supérieure à 1900", abort: true }),
        z.refine((value) => Number(value) <= currentYear, { error: `L'année ne peut pas dépasser ${currentYear}` }),
      ),
      z.transform(Number),
    ),
  );

/** Bytes of a document to be imported or attached. */
export const maxDocumentBytes = 10 * 1024 * 1024;
