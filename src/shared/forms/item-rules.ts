import { hidden, tidyName, visible } from '../blanks.ts';

/**
 * Rules and messages of specification §5 for lessons, exercises and past exams, as plain values. The editing screen checks them at each
 * keystroke and needs no schema library for its few fields. The schemas in content.ts are built from them.
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

/** Returns the message of the first rule that a title breaks, or null. Blanks around it are ignored; all kinds of spaces are equal. */
export function titreFault(titre: string): string | null {
  const { required, least, most, characters } = titreRules;
  const text = tidyName(titre);
  if (text === '') return required;
  if (text.length < least.length) return least.error;
  if (text.length > most.length) return most.error;
  return characters.pattern.test(text) ? null : characters.error;
}

/** Rules of the optional full title, which learners see in place of the title: any letters and signs (decision 134). */
export const intituleRules = { least: 3, most: 200 } as const;

/** Returns the fault of a full title, or null. It may be empty. */
export function intituleFault(intitule: string): string | null {
  const text = tidyName(intitule);
  if (text === '') return null;
  if (text.length < intituleRules.least) return `L'intitulé complet doit contenir au moins ${intituleRules.least} caractères`;
  if (text.length > intituleRules.most) return `L'intitulé complet ne doit pas dépasser ${intituleRules.most} caractères`;
  return hidden.test(text) || !visible.test(text) ? "L'intitulé complet contient des caractères qui ne peuvent pas être enregistrés" : null;
}

/** Returns the fault of a past exam's year, as a form sends it, or null. @param currentYear in Africa/Douala */
export function anneeFault(annee: string, currentYear: number): string | null {
  const text = annee.trim();
  if (text === '') return "L'année est requise";
  if (!/^[+-]?\d+$/.test(text)) return "L'année doit être un nombre entier";
  if (Number(text) < 1900) return "L'année doit être supérieure à 1900";
  return Number(text) > currentYear ? `L'année ne peut pas dépasser ${currentYear}` : null;
}

/** Returns the fault of a subject's duration in minutes, as a form sends it, or null. It may be empty. */
export function dureeFault(duree: string): string | null {
  const text = duree.trim();
  if (text === '') return null;
  if (!/^\d+$/.test(text)) return 'La durée doit être un nombre entier de minutes';
  return Number(text) >= 1 && Number(text) <= 600 ? null : 'La durée doit être comprise entre 1 et 600 minutes';
}

/** Largest document to import or attach, in bytes. */
export const maxDocumentBytes = 10 * 1024 * 1024;
/** The same for a .docx or .odt file whose photographs are reduced before it is sent, and for an archive of files. */
export const maxUnreducedBytes = 200 * 1024 * 1024;
