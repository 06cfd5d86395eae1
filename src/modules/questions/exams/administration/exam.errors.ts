import { AppError, notFound } from '../../../../platform/errors.ts';

export const examGone = () => notFound("Ce concours blanc n'existe pas ou n'existe plus.");

/** Another administrator has changed the exam since the page was rendered. */
export const examChanged = (message: string) => new AppError('EXAM.CHANGED', 409, message);

/** The exam is in a state in which this cannot be done. @param message why, and what can be done, in French */
export const notInThisState = (message: string) => new AppError('EXAM.STATE', 409, message);
