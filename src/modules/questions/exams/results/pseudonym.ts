import { z } from 'zod';

/** Latin letters, digits and four marks. Not '@', '/' or ':', which addresses need; no accent of its own and nothing invisible. */
const allowed = /^[\p{Script=Latin}0-9][\p{Script=Latin}0-9 .'-]*$/u;
/** Most digits: a telephone number has nine. */
const mostDigits = 5;
const domain = /\p{L}\.\p{L}{2,}(?:$|[ .])/u;

/** Returns why a name cannot stand in the public list, in French; null when it can. @param name as `tidyName` returns it */
export function pseudonymFault(name: string): string | null {
  if (name.length < 3 || name.length > 30) return 'Le pseudonyme a de 3 à 30 caractères';
  if (name.includes('@') || domain.test(name)) return "N'écrivez pas d'adresse : tous les candidats voient ce nom";
  if ((name.match(/\p{N}/gu) ?? []).length > mostDigits) return "N'écrivez pas de numéro de téléphone : tous les candidats voient ce nom";
  // NFKC changes wide and raised letters and Roman numerals: they look like ordinary letters.
  if (!allowed.test(name) || name.normalize('NFKC') !== name)
    return 'Écrivez des lettres, des chiffres, des espaces, des points, des tirets ou des apostrophes';
  return (name.match(/\p{L}/gu) ?? []).length < 2 ? 'Le pseudonyme a au moins deux lettres' : null;
}

/** Returns a name in composed characters, with single spaces and straight apostrophes, which phones write typographically. */
export const tidyName = (typed: string): string => typed.normalize('NFC').replaceAll('’', "'").replaceAll(/\s+/gu, ' ').trim();

/** Body of POST …/pseudonyme. `retirer` withdraws the name. */
export const pseudonymBody = z.object({ pseudonyme: z.string().max(200).default(''), retirer: z.literal('oui').optional() });
