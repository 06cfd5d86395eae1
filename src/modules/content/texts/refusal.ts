import { AppError } from '../../../platform/errors.ts';

/** Returns the error for a file that cannot be imported at all; the message is French. */
export const refused = (message: string, cause?: unknown): AppError => new AppError('IMPORT.REFUSED', 400, message, { cause });

export const unreadableWord = (cause?: unknown): AppError =>
  refused('Ce document Word est illisible. Ouvrez-le dans Word, enregistrez-le au format .docx, puis réessayez.', cause);

export const tooComplex = (): AppError => refused('Ce document est trop long ou trop compliqué. Coupez-le en plusieurs documents.');
