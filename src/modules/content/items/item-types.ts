import { type ItemKind, itemKinds, kindDetails } from '../../../shared/item-kinds.ts';

/** Server-side names and texts for each kind of item. */
interface ItemWords {
  unknown: string;
  changed: string;
  deleted: string;
  /** Tag of its calls, and name of its schema, in the API description. */
  tag: string;
  schema: string;
  /** Folder of its files in a discipline's content folder. */
  folder: string;
  /** Nouns used after a number. */
  nouns: [one: string, several: string];
}

const words: Record<ItemKind, ItemWords> = {
  course: {
    unknown: "Cette leçon n'existe pas ou n'existe plus.",
    changed: 'Cette leçon a été modifiée',
    deleted: 'Leçon supprimée avec succès',
    tag: 'Leçons',
    schema: 'Lecon',
    folder: 'lecons',
    nouns: ['leçon', 'leçons'],
  },
  exercise: {
    unknown: "Cet exercice n'existe pas ou n'existe plus.",
    changed: 'Cet exercice a été modifié',
    deleted: 'Exercice supprimé avec succès',
    tag: 'Exercices',
    schema: 'Exercice',
    folder: 'exercices',
    nouns: ['exercice', 'exercices'],
  },
  pastExam: {
    unknown: "Cet ancien sujet n'existe pas ou n'existe plus.",
    changed: 'Cet ancien sujet a été modifié',
    deleted: 'Ancien sujet supprimé avec succès',
    tag: 'Anciens sujets',
    schema: 'AncienSujet',
    folder: 'sujets',
    nouns: ['ancien sujet', 'anciens sujets'],
  },
  quiz: {
    unknown: "Cette série n'existe pas ou n'existe plus.",
    changed: 'Cette série a été modifiée',
    deleted: 'Série supprimée avec succès',
    tag: 'Séries',
    schema: 'Serie',
    folder: 'questions',
    nouns: ['série', 'séries'],
  },
};

export const itemTypeOf = (kind: ItemKind) => ({ kind, path: kindDetails[kind].path, ...words[kind] });
/** Returns '1 leçon', '3 anciens sujets'. */
export const countedItems = (kind: ItemKind, count: number): string => `${count} ${words[kind].nouns[count === 1 ? 0 : 1]}`;
export const itemTypes = itemKinds.map(itemTypeOf);
