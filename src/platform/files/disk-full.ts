/**
 * Returns whether a write failed for lack of space: the disk is full, the user's quota is used up, or PostgreSQL's disk is full (53100).
 */
export const isDiskFull = (error: unknown): boolean =>
  error instanceof Error && ['ENOSPC', 'EDQUOT', '53100'].includes((error as NodeJS.ErrnoException).code ?? '');
