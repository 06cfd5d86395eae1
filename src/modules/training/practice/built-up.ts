import { type BuiltUp, toReviewPage } from '../../../shared/study/progress.ts';

/**
 * Returns a sentence, in French, on what a learner has done in a prepa whose access has ended; null when there is nothing:
 * '4 contenus terminés et 2 à revoir vous attendent.'
 */
export function describeBuiltUp({ finished, marked }: BuiltUp): string | null {
  const toReview = marked[toReviewPage.field] ?? 0;
  const parts = [
    ...(finished > 0 ? [`${finished} ${finished > 1 ? 'contenus terminés' : 'contenu terminé'}`] : []),
    ...(toReview > 0 ? [`${toReview}${finished > 0 ? '' : toReview > 1 ? ' contenus' : ' contenu'} à revoir`] : []),
  ];
  if (parts.length === 0) return null;
  return `${parts.join(' et ')} ${finished + toReview > 1 ? 'vous attendent' : 'vous attend'}.`;
}
