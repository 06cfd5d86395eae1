import { AppError, notFound } from '../../../platform/errors.ts';

export const prepaNotFound = () => notFound("Cette préparation n'existe pas ou n'existe plus.");

export const disciplineNotFound = () => notFound("Cette discipline n'existe pas ou n'existe plus.");

/**
 * An edit of an outdated version: nothing is written.
 * @param current what stands there now, as the API answers it
 * @param changedBy who changed it last; null when the log does not say
 */
export function outdated(what: 'Cette préparation' | 'Cette discipline', current: object, changedBy: string | null): AppError {
  const who = changedBy === null ? 'entre-temps' : `entre-temps par ${changedBy}`;
  const message = `${what} a été modifiée ${who}. Rien n'a été enregistré : comparez avec les valeurs actuelles, puis enregistrez de nouveau.`;
  return new AppError('EDIT.OUTDATED', 409, message, { details: { current, changedBy } });
}

/**
 * Learners would lose what they have paid for: the name must be typed, for what is told here and nothing else.
 * @param vu stands for what is told; the confirmation brings it back
 */
export function confirmationRequired(message: string, details: { nom: string; pertes: string[]; vu: string }): AppError {
  return new AppError('DELETION.UNCONFIRMED', 409, message, { details: { confirmationRequired: true, ...details } });
}
