/**
 * Kinds of items, in order, as addresses and the database name them: lessons, exercises, past exams (specification §5), and series of
 * questions (decision 116).
 */
export const itemKinds = ['course', 'exercise', 'pastExam', 'quiz'] as const;
export type ItemKind = (typeof itemKinds)[number];

/** Text columns of an item; every item has `contenu`. */
export type TextField = 'contenu' | 'corrige';

interface KindDetails {
  /** Path segment of its API calls. */
  path: string;
  /** Name of one item. */
  name: string;
  /** Heading of its list, and the text of an empty list. */
  list: string;
  none: string;
  hasAnnee?: true;
  hasDuree?: true;
  hasCorrection?: true;
  /** Its questions are marked by a rule of its own (`MarkingRule`). */
  hasBareme?: true;
  /** Learners see its section only when it has items. */
  hidesEmpty?: true;
  /** Name of its text in the API, and another one that forms may use. */
  text: 'contenu' | 'enonce';
  textAlias?: 'enonce';
}

/**
 * Properties of the kinds for browser and server. Those for the server only are in the content module's item-types.ts, those for
 * learners in study/kinds.ts.
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
    textAlias: 'enonce',
  },
  quiz: {
    path: 'series',
    name: 'Série',
    list: 'Questions',
    none: 'Aucune série disponible',
    hasDuree: true,
    hasBareme: true,
    hidesEmpty: true,
    text: 'contenu',
  },
} as const satisfies Record<ItemKind, KindDetails>;

export const kindDetails: Record<ItemKind, KindDetails> = details;

/** Returns the text columns of a kind with their names in the API. */
export const textNames = (kind: ItemKind): { contenu: 'contenu' | 'enonce'; corrige?: 'corrige' } => {
  const { text, hasCorrection } = kindDetails[kind];
  return { contenu: text, ...(hasCorrection && { corrige: 'corrige' }) };
};

/** Returns a record with the value of `of` for each kind. */
export const byKind = <Value>(of: (kind: ItemKind) => Value): Record<ItemKind, Value> =>
  Object.fromEntries(itemKinds.map((kind) => [kind, of(kind)])) as Record<ItemKind, Value>;

/** Returns 'Leçon 2', 'Exercice 1', 'Sujet 2019' (specification §2), 'Série 3'. */
export function labelOf(kind: ItemKind, { numero_page, annee }: { numero_page: number; annee?: number | string | null }): string {
  const { name, hasAnnee } = kindDetails[kind];
  return hasAnnee ? `Sujet ${annee}` : `${name} ${numero_page}`;
}
