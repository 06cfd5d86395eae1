import { tidyName } from '../blanks.ts';

/**
 * Rules and messages of specification §5 for lessons, exercises and past subjects, as plain values: the screen that writes them checks at each key,
 * and needs no schema library for two fields. The schemas in content.ts are made of them.
 */

export const titreRules = {
  required: 'Le titre est requis',
  least: { length: 3, error: 'Le titre doit contenir au moins 3 caractères' },
  most: { length: 100, error: 'Le titre ne doit pas dépasser 100 caractères' },
  characters: {
    pattern: /^[\p{L}\p{M}\p{Nd} _-]+$/u,
    error: 'Le titre ne doit contenir que des lettres, des chiffres, des espaces, des tirets et des underscores',
  },
} as const;

/** The first rule that a title breaks, in words; spaces around it do not count, and all spaces are alike. */
export function titreFault(titre: string): string | null {
  const { required, least, most, characters } = titreRules;
  const text = tidyName(titre);
  if (text === '') return required;
  if (text.length < least.length) return least.error;
  if (text.length > most.length) return most.error;
  return characters.pattern.test(text) ? null : characters.error;
}

/** The same of a past subject's year, as a form sends it. @param currentYear in Africa/Douala */
export function anneeFault(annee: string, currentYear: number): string | null {
  const text = annee.trim();
  if (text === '') return "L'année est requise";
  if (!/^[+-]?\d+$/.test(text)) return "L'année doit être un nombre entier";
  if (Number(text) < 1900) return "L'année doit être supérieure à 1900";
  return Number(text) > currentYear ? `L'année ne peut pas dépasser ${currentYear}` : null;
}

/** The same of the time that a subject gives, in minutes, as a form sends it; it need not say. */
export function dureeFault(duree: string): string | null {
  const text = duree.trim();
  if (text === '') return null;
  if (!/^\d+$/.test(text)) return 'La durée doit être un nombre entier de minutes';
  return Number(text) >= 1 && Number(text) <= 600 ? null : 'La durée doit être comprise entre 1 et 600 minutes';
}

/** Bytes of a document to be imported or attached. */
export const maxDocumentBytes = 10 * 1024 * 1024;
