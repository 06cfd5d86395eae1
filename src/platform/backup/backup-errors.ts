import { AppError } from '../errors.ts';

/** The backup's content does not match its checksums or cannot be read. */
export const damaged = (what: string, cause?: unknown) =>
  new AppError('BACKUP.DAMAGED', 422, `Cette sauvegarde est abîmée : ${what}. Rien n'a été changé.`, { cause });

/** The backup was never finished, or its end is missing. */
export const incomplete = (cause?: unknown) =>
  new AppError('BACKUP.INCOMPLETE', 422, "Cette sauvegarde est incomplète : sa fin manque. Rien n'a été changé.", { cause });

export const refused = (message: string, cause?: unknown) => new AppError('BACKUP.REFUSED', 409, message, { cause });
