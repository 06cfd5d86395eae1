import { z } from 'zod';

/** Letters, digits and marks of a name. Not '@', '/' or ':', which addresses need. */
const allowed = /^[\p{L}\p{M}\p{N}][\p{L}\p{M}\p{N} .'’_-]*$/u;
/** Most digits: a telephone number has nine. */
const mostDigits = 5;
const domain = /\p{L}\.\p{L}{2,}(?:$|[ .])/u;

/** Returns why a name cannot stand in the public list, in French; null when it can. */
export function pseudonymFault(name: string): string | null {
  if (name.length < 3 || name.length > 30) return 'Le pseudonyme a de 3 à 30 caractères';
  if (name.includes('@') || domain.test(name)) return "N'écrivez pas d'adresse : tous les candidats voient ce nom";
  if ((name.match(/\p{N}/gu) ?? []).length > mostDigits) return "N'écrivez pas de numéro de téléphone : tous les candidats voient ce nom";
  return allowed.test(name) ? null : 'Écrivez des lettres, des chiffres, des espaces, des points, des tirets ou des apostrophes';
}

/** Returns a name with single spaces. */
export const tidyName = (typed: string): string => typed.normalize('NFC').replaceAll(/\s+/gu, ' ').trim();

/** Body of POST …/pseudonyme. `retirer` withdraws the name. */
export const pseudonymBody = z.object({ pseudonyme: z.string().max(200).default(''), retirer: z.literal('oui').optional() });
