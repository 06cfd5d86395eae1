import type { ItemKind } from '../item-kinds.ts';

/** The kind whose items, if they have a correction, are finished only by the learner's own mark, not by reading to the end. */
export const finishedByMark = 'exercise' satisfies ItemKind;
/** The kind whose items are finished only by an answer to each of their questions. */
export const finishedByAnswers = 'quiz' satisfies ItemKind;

/** Returns whether an item is finished by reading to its end, or by 'J'ai terminé'. */
export const finishedByReading = (kind: ItemKind, hasCorrection: boolean): boolean =>
  kind !== finishedByAnswers && !(hasCorrection && kind === finishedByMark);

interface StudyKind {
  /** Heading of its section in a discipline's list of contents, and the text of an empty section. */
  section: string;
  none: string;
  /** Name of one item, and of several. */
  name: string;
  plural: string;
  /** Link from the section before to its first item, and from an item to the next one. */
  onward: string;
  next: string;
  /** Message after an item was finished. */
  finished: string;
  /** Object of 'Connectez-vous pour lire …'. */
  thisOne: string;
}

/** What learners read about each kind of item. */
export const studyKinds: Record<ItemKind, StudyKind> = {
  course: {
    section: 'Cours',
    none: 'Aucun cours disponible',
    name: 'Cours',
    plural: 'Cours',
    onward: 'Passer aux cours',
    next: 'Leçon suivante',
    finished: 'Leçon terminée',
    thisOne: 'cette leçon',
  },
  exercise: {
    section: 'Exercices & Corrigés',
    none: 'Aucun exercice disponible',
    name: 'Exercice',
    plural: 'Exercices',
    onward: 'Passer aux exercices',
    next: 'Exercice suivant',
    finished: 'Exercice terminé',
    thisOne: 'cet exercice',
  },
  pastExam: {
    section: 'Anciens Sujets & Corrigés',
    none: 'Aucun ancien sujet disponible',
    name: 'Ancien sujet',
    plural: 'Anciens sujets',
    onward: 'Passer aux anciens sujets',
    next: 'Sujet suivant',
    finished: 'Ancien sujet terminé',
    thisOne: 'cet ancien sujet',
  },
  quiz: {
    section: 'Questions',
    none: 'Aucune série disponible',
    name: 'Série',
    plural: 'Séries',
    onward: 'Passer aux questions',
    next: 'Série suivante',
    finished: 'Série terminée',
    thisOne: 'cette série',
  },
};
