import { AppError } from '../../../platform/errors.ts';
import type { FieldError } from '../../../shared/forms/field-errors.ts';

/** Every fault of a form at once. */
export const invalidItem = (errors: FieldError[]): AppError =>
  new AppError('FORM.INVALID', 400, 'Certaines informations sont à corriger.', { errors });

/**
 * An edit of an outdated version: nothing is written.
 * @param changed which item, in words
 * @param current what stands there now, as the API answers it
 * @param changedBy who saved it last; null for the terminal
 */
export function outdatedItem(changed: string, current: object, changedBy: string | null): AppError {
  const who = changedBy === null ? 'entre-temps' : `entre-temps par ${changedBy}`;
  const message = `${changed} ${who}. Rien n'a été enregistré : comparez avec le texte actuel, puis enregistrez de nouveau.`;
  return new AppError('EDIT.OUTDATED', 409, message, { details: { current, changedBy } });
}
