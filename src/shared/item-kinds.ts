/** The specification's kinds of items (§5): lessons, exercises, past subjects, as addresses and the database name them, in their order. */
export const itemKinds = ['course', 'exercise', 'pastExam'] as const;
export type ItemKind = (typeof itemKinds)[number];

/** The texts of an item by their columns; every item has the first. */
export type TextField = 'contenu' | 'corrige';

interface KindDetails {
  /** In the addresses of its calls. */
  path: string;
  /** One of them. */
  name: string;
  /** Of its list, and what an empty one says. */
  list: string;
  none: string;
  hasAnnee?: true;
  hasDuree?: true;
  hasCorrection?: true;
  /** Its text, as the API names it. */
  text: 'contenu' | 'enonce';
}

/**
 * What browser and server know of a kind. What the server says of it besides stands in the content module's item-types.ts, what the study page does
 * in its Contents.tsx.
 */
const details = {
  course: {
    path: 'lecons',
    name: 'Leçon',
    list: 'Leçons',
    none: 'Aucune leçon disponible',
    text: 'contenu',
  },
  exercise: {
    path: 'exercices',
    name: 'Exercice',
    list: 'Exercices',
    none: 'Aucun exercice disponible',
    hasDuree: true,
    hasCorrection: true,
    text: 'enonce',
  },
  pastExam: {
    path: 'anciens-sujets',
    name: 'Ancien sujet',
    list: 'Anciens Sujets',
    none: 'Aucun ancien sujet disponible',
    hasAnnee: true,
    hasDuree: true,
    hasCorrection: true,
    text: 'contenu',
  },
} as const satisfies Record<ItemKind, KindDetails>;

export const kindDetails: Record<ItemKind, KindDetails> = details;

/** The texts of a kind by their columns, as the API names them. */
export const textNames = (kind: ItemKind): { contenu: 'contenu' | 'enonce'; corrige?: 'corrige' } => {
  const { text, hasCorrection } = kindDetails[kind];
  return { contenu: text, ...(hasCorrection && { corrige: 'corrige' }) };
};

/** What `of` says of each kind. */
export const byKind = <Value>(of: (kind: ItemKind) => Value): Record<ItemKind, Value> =>
  Object.fromEntries(itemKinds.map((kind) => [kind, of(kind)])) as Record<ItemKind, Value>;

/** 'Leçon 2', 'Exercice 1', 'Sujet 2019' (specification §2). */
export function labelOf(kind: ItemKind, { numero_page, annee }: { numero_page: number; annee?: number | null }): string {
  const { name, hasAnnee } = kindDetails[kind];
  return hasAnnee ? `Sujet ${annee}` : `${name} ${numero_page}`;
}
