import type { ItemKind } from './item.entity.ts';

/** The three content types of the specification: their words in addresses, calls and messages. */
export const itemTypes = [
  { kind: 'course', path: 'lecons', unknown: "Cette leçon n'existe pas ou n'existe plus." },
  { kind: 'exercise', path: 'exercices', unknown: "Cet exercice n'existe pas ou n'existe plus." },
  { kind: 'pastExam', path: 'anciens-sujets', unknown: "Cet ancien sujet n'existe pas ou n'existe plus." },
] as const satisfies readonly { kind: ItemKind; path: string; unknown: string }[];
