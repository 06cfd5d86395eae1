import type { ItemKind } from './item.entity.ts';

/** The three content types of the specification: their words in addresses, calls and messages. */
export const itemTypes = [
  {
    kind: 'course',
    path: 'lecons',
    unknown: "Cette leçon n'existe pas ou n'existe plus.",
    changed: 'Cette leçon a été modifiée',
    deleted: 'Leçon supprimée avec succès',
    tag: 'Leçons',
    texts: { contenu: 'contenu' },
  },
  {
    kind: 'exercise',
    path: 'exercices',
    unknown: "Cet exercice n'existe pas ou n'existe plus.",
    changed: 'Cet exercice a été modifié',
    deleted: 'Exercice supprimé avec succès',
    tag: 'Exercices',
    texts: { contenu: 'enonce', corrige: 'corrige' },
  },
  {
    kind: 'pastExam',
    path: 'anciens-sujets',
    unknown: "Cet ancien sujet n'existe pas ou n'existe plus.",
    changed: 'Cet ancien sujet a été modifié',
    deleted: 'Ancien sujet supprimé avec succès',
    tag: 'Anciens sujets',
    texts: { contenu: 'contenu', corrige: 'corrige' },
  },
] as const satisfies readonly ItemType[];

export interface ItemType {
  kind: ItemKind;
  path: string;
  unknown: string;
  changed: string;
  deleted: string;
  tag: string;
  /** The fields of its texts in the API, by column. */
  texts: { contenu: string; corrige?: string };
}

export const itemTypeOf = (kind: ItemKind): ItemType => itemTypes.find((type) => type.kind === kind) as ItemType;
