import * as z from 'zod/mini';
import { type FaultKind, faultKinds } from './report.entity.ts';

/** The choices of the report form, in this order. */
export const faultNames: Record<FaultKind, string> = {
  texte: 'Une faute dans le texte',
  formule: 'Une formule fausse ou mal affichée',
  corrige: 'Une erreur dans le corrigé',
  image: 'Une image ou un document qui manque',
  autre: 'Autre chose',
};

/** Longest input of each field, in characters. */
export const maxLengths = { endroit: 200, message: 1000, reponse: 1000 } as const;

/** Returns the schema of a text field. Removes NUL characters and lone surrogates, which PostgreSQL's text type cannot hold. */
const text = (max: number, missing?: string) =>
  z.string({ error: missing ?? 'Ce champ doit être un texte.' }).check(
    z.overwrite((value) => value.replaceAll('\0', '').replaceAll('\r\n', '\n').toWellFormed().trim()),
    ...(missing ? [z.minLength(1, missing)] : []),
    z.maxLength(max, `${max} caractères au plus.`),
  );

export const reportSchema = z.object({
  probleme: z.enum(faultKinds, { error: 'Choisissez ce qui ne va pas.' }),
  endroit: text(maxLengths.endroit, "Dites où se trouve l'erreur."),
  message: z._default(text(maxLengths.message), ''),
});

export const answerSchema = z.object({ reponse: z._default(text(maxLengths.reponse), '') });
