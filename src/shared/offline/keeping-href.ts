/** Where a prepa is kept for reading without network; with a discipline, that one alone is ticked. */
export const keepingHref = (prepaId: number, disciplineId?: number): string =>
  `/user/prepa/${prepaId}/hors-ligne${disciplineId === undefined ? '' : `?discipline=${disciplineId}`}`;

/** The way there among a prepa's links. */
export const keepingLink = (prepaId: number) => ({ href: keepingHref(prepaId), label: 'Garder hors ligne' });
