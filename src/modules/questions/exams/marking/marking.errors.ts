import { AppError, notFound } from '../../../../platform/errors.ts';
import { formatInstant } from '../../../../shared/dates.ts';

export const noSuchExam = () => notFound("Ce concours blanc n'existe pas ou n'existe plus.");
export const noSuchQuestion = () => notFound("Cette question n'est pas dans ce concours blanc.");
export const noLateCopy = () => notFound("Ce candidat n'a pas de copie arrivée après le délai.");

export const notAnnounced = () => new AppError('EXAM.DRAFT', 409, "Ce concours blanc n'est pas encore annoncé : il n'y a rien à corriger.");

/** @param from when marking becomes possible */
export const stillOpen = (from: Date) =>
  new AppError('EXAM.OPEN', 409, `Des copies peuvent encore arriver : la correction est possible à partir du ${formatInstant(from)}.`);

export const notMarked = () =>
  new AppError('EXAM.UNMARKED', 409, "Corrigez d'abord les copies : il n'y a pas encore de résultats à publier.");

export const alreadyPublished = () => new AppError('EXAM.PUBLISHED', 409, 'Les résultats de ce concours blanc sont déjà publiés.');

export const lateDecided = () =>
  new AppError('EXAM.PUBLISHED', 409, 'Les résultats sont publiés : les copies en retard ne se décident plus.');

/** @param fault of the new key or the reason, in French */
export const correctionFault = (fault: string) => new AppError('EXAM.CORRECTION', 400, `${fault}.`);
