import { type ItemKind, kindDetails, type TextField } from '../../../src/shared/item-kinds.ts';

const failures = (ofOne: string, ofAll: string) => ({
  listFailed: `Erreur lors de la récupération ${ofAll}`,
  readFailed: `Erreur lors du chargement ${ofOne}`,
  createFailed: `Erreur lors de la création ${ofOne}`,
  saveFailed: `Erreur lors de la sauvegarde ${ofOne}`,
  moveFailed: `Erreur lors du déplacement ${ofOne}`,
  deleteFailed: `Erreur lors de la suppression ${ofOne}`,
});

/** Texts of specification §2, §4 and §8, and similar ones for series. */
export const texts = {
  course: {
    create: 'Nouvelle Leçon',
    nothingSelected: 'Sélectionnez une leçon ou créez-en une nouvelle',
    created: 'Nouvelle leçon créée avec succès',
    updated: 'Leçon mise à jour avec succès',
    ...failures('de la leçon', 'des leçons'),
    deleteQuestion: 'Êtes-vous sûr de vouloir supprimer cette leçon ?',
    gone: "Cette leçon n'existe plus : quelqu'un l'a supprimée entre-temps.",
    goneDraft: "Brouillon non enregistré d'une leçon qui n'existe plus",
    changed: 'Cette leçon a été modifiée',
  },
  exercise: {
    create: 'Nouvel Exercice',
    nothingSelected: 'Sélectionnez un exercice ou créez-en un nouveau',
    created: 'Nouvel exercice créé avec succès',
    updated: 'Exercice mis à jour avec succès',
    ...failures("de l'exercice", 'des exercices'),
    deleteQuestion: 'Êtes-vous sûr de vouloir supprimer cet exercice ?',
    gone: "Cet exercice n'existe plus : quelqu'un l'a supprimé entre-temps.",
    goneDraft: "Brouillon non enregistré d'un exercice qui n'existe plus",
    changed: 'Cet exercice a été modifié',
  },
  pastExam: {
    create: 'Nouvel Ancien Sujet',
    nothingSelected: 'Sélectionnez un ancien sujet ou créez-en un nouveau',
    created: 'Nouvel ancien sujet créé avec succès',
    updated: 'Ancien sujet mis à jour avec succès',
    ...failures("de l'ancien sujet", 'des anciens sujets'),
    deleteQuestion: 'Êtes-vous sûr de vouloir supprimer cet ancien sujet ?',
    gone: "Cet ancien sujet n'existe plus : quelqu'un l'a supprimé entre-temps.",
    goneDraft: "Brouillon non enregistré d'un ancien sujet qui n'existe plus",
    changed: 'Cet ancien sujet a été modifié',
  },
  quiz: {
    create: 'Nouvelle Série',
    nothingSelected: 'Sélectionnez une série ou créez-en une nouvelle',
    created: 'Nouvelle série créée avec succès',
    updated: 'Série mise à jour avec succès',
    ...failures('de la série', 'des séries'),
    deleteQuestion: 'Êtes-vous sûr de vouloir supprimer cette série ?',
    gone: "Cette série n'existe plus : quelqu'un l'a supprimée entre-temps.",
    goneDraft: "Brouillon non enregistré d'une série qui n'existe plus",
    changed: 'Cette série a été modifiée',
  },
} satisfies Record<ItemKind, object>;

const textLabels = { contenu: 'Contenu', enonce: 'Énoncé', corrige: 'Corrigé' };

interface ItemText {
  field: TextField;
  /** The name of the text in the API. */
  name: keyof typeof textLabels;
  label: string;
}

/** Returns the texts of a kind, in the order of their tabs. */
export function textsOf(kind: ItemKind): ItemText[] {
  const { text, hasCorrection } = kindDetails[kind];
  const first: ItemText = { field: 'contenu', name: text, label: textLabels[text] };
  return hasCorrection ? [first, { field: 'corrige', name: 'corrige', label: textLabels.corrige }] : [first];
}

/** The hint of the full title. */
export const intituleHint = 'Les candidats le voient à la place du titre. Tous les signes sont permis.';

/** Returns the toast for a refusal. For lessons it is the validation error itself (specification §8). */
export const toastOf = (kind: ItemKind, fault: string | undefined, failure: string): string =>
  kind === 'course' && fault ? fault : failure;

/** The hint below 'nothing selected' (specification §2: a hint to use the left panel). */
export const panelHint = 'Utilisez le panneau de gauche : choisissez dans la liste, ou créez avec le bouton.';

/** Returns 'Cette leçon a été modifiée par awa'. `name` is null after a change by a command. */
export const changedBy = (kind: ItemKind, name: string | null): string =>
  `${texts[kind].changed} ${name === null ? 'entre-temps' : `par ${name}`}`;
