import type { Kind } from './records.ts';

/** Titles and messages. Most are in specification §2 and §8. */
export const texts = {
  prepa: {
    path: '/api/prepas',
    createTitle: 'Nouvelle préparation',
    editTitle: 'Modifier la préparation',
    created: 'Préparation créée avec succès',
    updated: 'Préparation mise à jour avec succès',
    createFailed: 'Erreur lors de la création de la préparation',
    updateFailed: 'Erreur lors de la mise à jour de la préparation',
    deleteFailed: 'Erreur lors de la suppression de la préparation',
    deleteQuestion:
      'Êtes-vous sûr de vouloir supprimer cette préparation ? Cette action est irréversible et supprimera également toutes les disciplines associées.',
    gone: "Cette préparation n'existe plus : quelqu'un l'a supprimée entre-temps.",
  },
  discipline: {
    path: '/api/disciplines',
    createTitle: 'Nouvelle discipline',
    editTitle: 'Modifier la discipline',
    created: 'Discipline créée avec succès',
    updated: 'Discipline mise à jour avec succès',
    createFailed: 'Erreur lors de la création de la discipline',
    updateFailed: 'Erreur lors de la mise à jour de la discipline',
    deleteFailed: 'Erreur lors de la suppression de la discipline',
    deleteQuestion:
      'Êtes-vous sûr de vouloir supprimer cette discipline ? Cette action est irréversible et supprimera également tous les cours, exercices et anciens sujets associés.',
    gone: "Cette discipline n'existe plus : quelqu'un l'a supprimée entre-temps.",
  },
} satisfies Record<Kind, object>;
