/** Whether something could not be written for want of space: on the disk, of what its owner may take of it, or on PostgreSQL's disk (53100). */
export const isDiskFull = (error: unknown): boolean =>
  error instanceof Error && ['ENOSPC', 'EDQUOT', '53100'].includes((error as NodeJS.ErrnoException).code ?? '');
