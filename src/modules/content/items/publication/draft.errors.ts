import { AppError, notFound } from '../../../../platform/errors.ts';
import { draftsPerDiscipline } from '../drafts/draft.repository.ts';

export const draftGone = (): AppError => notFound("Ce brouillon n'existe plus : il a été publié ou supprimé.");

export const tooManyDrafts = (): AppError =>
  new AppError(
    'DRAFT.TOO_MANY',
    409,
    `Cette discipline a déjà ${draftsPerDiscipline} brouillons : publiez-en ou supprimez-en, puis réessayez.`,
  );

/**
 * Returns the 409 error for a save that began with an outdated draft. Nothing has been written.
 * @param current the current draft, as the API returns it
 * @param changedBy name of the administrator who saved the draft last
 */
export function outdatedDraft(current: object, changedBy: string): AppError {
  const message = `Ce brouillon a été modifié entre-temps par ${changedBy}. Rien n'a été enregistré : comparez avec son texte actuel.`;
  return new AppError('EDIT.OUTDATED', 409, message, { details: { current, changedBy } });
}
