import type { Kind, TextField } from './records.ts';

interface KindTexts {
  /** Of its calls. */
  path: string;
  tab: string;
  create: string;
  empty: string;
  nothingSelected: string;
  /** Its texts, in the order of their tabs; the first is named as the call names it. */
  fields: { field: TextField; name: 'contenu' | 'enonce' | 'corrige'; label: string }[];
  created: string;
  updated: string;
  listFailed: string;
  readFailed: string;
  createFailed: string;
  saveFailed: string;
  moveFailed: string;
  deleteFailed: string;
  deleteQuestion: string;
  gone: string;
  goneDraft: string;
  /** What a conflict begins with; who it was follows. */
  changed: string;
}

/** Texts of specification §2, §4 and §8, and ours in their manner. */
export const texts: Record<Kind, KindTexts> = {
  course: {
    path: '/api/lecons',
    tab: 'Leçons',
    create: 'Nouvelle Leçon',
    empty: 'Aucune leçon disponible',
    nothingSelected: 'Sélectionnez une leçon ou créez-en une nouvelle',
    fields: [{ field: 'contenu', name: 'contenu', label: 'Contenu' }],
    created: 'Nouvelle leçon créée avec succès',
    updated: 'Leçon mise à jour avec succès',
    listFailed: 'Erreur lors de la récupération des leçons',
    readFailed: 'Erreur lors du chargement de la leçon',
    createFailed: 'Erreur lors de la création de la leçon',
    saveFailed: 'Erreur lors de la sauvegarde de la leçon',
    moveFailed: 'Erreur lors du déplacement de la leçon',
    deleteFailed: 'Erreur lors de la suppression de la leçon',
    deleteQuestion: 'Êtes-vous sûr de vouloir supprimer cette leçon ?',
    gone: "Cette leçon n'existe plus : quelqu'un l'a supprimée entre-temps.",
    goneDraft: "Brouillon non enregistré d'une leçon qui n'existe plus",
    changed: 'Cette leçon a été modifiée',
  },
  exercise: {
    path: '/api/exercices',
    tab: 'Exercices',
    create: 'Nouvel Exercice',
    empty: 'Aucun exercice disponible',
    nothingSelected: 'Sélectionnez un exercice ou créez-en un nouveau',
    fields: [
      { field: 'contenu', name: 'enonce', label: 'Énoncé' },
      { field: 'corrige', name: 'corrige', label: 'Corrigé' },
    ],
    created: 'Nouvel exercice créé avec succès',
    updated: 'Exercice mis à jour avec succès',
    listFailed: 'Erreur lors de la récupération des exercices',
    readFailed: "Erreur lors du chargement de l'exercice",
    createFailed: "Erreur lors de la création de l'exercice",
    saveFailed: "Erreur lors de la sauvegarde de l'exercice",
    moveFailed: "Erreur lors du déplacement de l'exercice",
    deleteFailed: "Erreur lors de la suppression de l'exercice",
    deleteQuestion: 'Êtes-vous sûr de vouloir supprimer cet exercice ?',
    gone: "Cet exercice n'existe plus : quelqu'un l'a supprimé entre-temps.",
    goneDraft: "Brouillon non enregistré d'un exercice qui n'existe plus",
    changed: 'Cet exercice a été modifié',
  },
  pastExam: {
    path: '/api/anciens-sujets',
    tab: 'Anciens Sujets',
    create: 'Nouvel Ancien Sujet',
    empty: 'Aucun ancien sujet disponible',
    nothingSelected: 'Sélectionnez un ancien sujet ou créez-en un nouveau',
    fields: [
      { field: 'contenu', name: 'contenu', label: 'Contenu' },
      { field: 'corrige', name: 'corrige', label: 'Corrigé' },
    ],
    created: 'Nouvel ancien sujet créé avec succès',
    updated: 'Ancien sujet mis à jour avec succès',
    listFailed: 'Erreur lors de la récupération des anciens sujets',
    readFailed: "Erreur lors du chargement de l'ancien sujet",
    createFailed: "Erreur lors de la création de l'ancien sujet",
    saveFailed: "Erreur lors de la sauvegarde de l'ancien sujet",
    moveFailed: "Erreur lors du déplacement de l'ancien sujet",
    deleteFailed: "Erreur lors de la suppression de l'ancien sujet",
    deleteQuestion: 'Êtes-vous sûr de vouloir supprimer cet ancien sujet ?',
    gone: "Cet ancien sujet n'existe plus : quelqu'un l'a supprimé entre-temps.",
    goneDraft: "Brouillon non enregistré d'un ancien sujet qui n'existe plus",
    changed: 'Cet ancien sujet a été modifié',
  },
};

/** Whether items of a kind have a correction: lessons have none. */
export const hasCorrection = (kind: Kind): boolean => texts[kind].fields.some(({ field }) => field === 'corrige');

/** What each list needs below 'nothing selected' (specification §2: a hint to use the left panel). */
export const panelHint = 'Utilisez le panneau de gauche : choisissez dans la liste, ou créez avec le bouton.';

/** 'Cette leçon a été modifiée par awa'; null: at the terminal, nobody knows by whom. */
export const changedBy = (kind: Kind, name: string | null): string =>
  `${texts[kind].changed} ${name === null ? 'entre-temps' : `par ${name}`}`;
