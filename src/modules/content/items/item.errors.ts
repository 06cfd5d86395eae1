import { AppError } from '../../../platform/errors.ts';
import type { FieldError } from '../../../shared/forms/field-errors.ts';

/** Returns a 400 error with all faults of a form. */
export const invalidItem = (errors: FieldError[]): AppError =>
  new AppError('FORM.INVALID', 400, 'Certaines informations sont à corriger.', { errors });

/**
 * Returns the 409 error for a save that began with an outdated version. Nothing has been written.
 * @param changed French words that say which item was changed
 * @param current the current item, as the API returns it
 * @param changedBy name of the administrator who saved the item last; null when it was loaded from the command line
 */
export function outdatedItem(changed: string, current: object, changedBy: string | null): AppError {
  const who = changedBy === null ? 'entre-temps' : `entre-temps par ${changedBy}`;
  const message = `${changed} ${who}. Rien n'a été enregistré : comparez avec le texte actuel, puis enregistrez de nouveau.`;
  return new AppError('EDIT.OUTDATED', 409, message, { details: { current, changedBy } });
}
