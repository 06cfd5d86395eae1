import { maxAccepted, maxAnswerLength } from '../../../../shared/rich-text/question-kinds.ts';

/** The key of a question whose answer is typed. */
export type TypedAnswer =
  | { readonly kind: 'number'; readonly value: string; readonly tolerance: string; readonly unit: string }
  | { readonly kind: 'text'; readonly accepted: readonly string[] };

const WORDS = 'réponses?\\s+(?:numériques?|acceptées?)\\s*:';
const NUMERIC = /^\s*réponses?\s+numériques?\s*:\s*(.*)$/isu;
const ACCEPTED = /^\s*réponses?\s+acceptées?\s*:\s*(.*)$/isu;
const BEGIN = new RegExp(`(?<=^|\\s)(?=${WORDS})`, 'giu');

/** A number as `readNumber` reads it. */
const NUMBER =
  '[+−–-]?\\d[\\d \\u00a0\\u202f\\u2009]*(?:[.,]\\d+)?(?:\\s*/\\s*\\d+(?:[.,]\\d+)?)?(?:\\s*[×x*]\\s*10\\s*\\^?\\s*\\(?[+−–-]?\\d+\\)?|[eE][+−–-]?\\d+)?';
/** `9,8`, `9,8 ± 0,1 m/s²`, `9,8 m/s² ± 0,1`, `9,8 m/s² ± 2 %`, `12 % ± 1`. */
const VALUE = new RegExp(
  `^(?<value>${NUMBER})\\s*(?<unit>[^\\d\\s±+][^±]*?)?(?:\\s*(?:±|\\+/-)\\s*(?<tolerance>${NUMBER}(?:\\s?%)?)\\s*(?<behind>[^\\d\\s±][^±]*?)?)?\\s*\\.?$`,
  'u',
);

/** Returns the offsets at which typed answers begin in a text. */
export const typedStarts = (text: string): number[] => [...text.matchAll(BEGIN)].map(({ index }) => index);

/** Returns the key that a line gives, as 'Réponse numérique : 9,8 ± 0,1 m/s²' or 'Réponses acceptées : fer ; Fe'; null when it gives none. */
export function typedAnswer(text: string): TypedAnswer | null {
  const accepted = ACCEPTED.exec(text)?.[1];
  if (accepted !== undefined) return { kind: 'text', accepted: accepted.split(';').map(trimmed).filter(Boolean).slice(0, maxAccepted) };
  const typed = NUMERIC.exec(text)?.[1];
  if (typed === undefined) return null;
  const { value, unit, tolerance = '', behind } = VALUE.exec(typed.trim())?.groups ?? {};
  // What is no number stays as typed: the question is shown with its fault.
  if (value === undefined) return { kind: 'number', value: trimmed(typed), tolerance: '', unit: '' };
  return { kind: 'number', value: value.trim(), tolerance: tolerance.trim(), unit: trimmed(unit ?? behind ?? '') };
}

const trimmed = (text: string): string => text.replaceAll('\ufffc', '').trim().slice(0, maxAnswerLength);
