import { AppError, notFound } from '../../../platform/errors.ts';

export const prepaNotFound = () => notFound("Cette préparation n'existe pas ou n'existe plus.");

export const disciplineNotFound = () => notFound("Cette discipline n'existe pas ou n'existe plus.");

/**
 * Returns the 409 error for an edit that began with an outdated version. Nothing has been written.
 * @param current the current values, as the API returns them
 * @param changedBy name of the last editor; null when the audit log has none
 */
export function outdated(what: 'Cette préparation' | 'Cette discipline', current: object, changedBy: string | null): AppError {
  const who = changedBy === null ? 'entre-temps' : `entre-temps par ${changedBy}`;
  const message = `${what} a été modifiée ${who}. Rien n'a été enregistré : comparez avec les valeurs actuelles, puis enregistrez de nouveau.`;
  return new AppError('EDIT.OUTDATED', 409, message, { details: { current, changedBy } });
}

/**
 * Returns the 409 error for a deletion through which learners would lose paid access. The name must be typed to confirm the listed
 * losses.
 * @param details.vu digest of the listed losses, sent back with the confirmation
 */
export function confirmationRequired(message: string, details: { nom: string; pertes: string[]; vu: string }): AppError {
  return new AppError('DELETION.UNCONFIRMED', 409, message, { details: { confirmationRequired: true, ...details } });
}
