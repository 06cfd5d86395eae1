/** Link to the page where a prepa is kept for reading without network. */
export interface KeepingLink {
  href: string;
  label: string;
}

/** Returns the link. @param discipline the only discipline that the page ticks  @param isKept whether this device keeps the prepa already */
export const keepingLink = (
  prepaId: number,
  { discipline, isKept = false }: { discipline?: number; isKept?: boolean } = {},
): KeepingLink => ({
  href: `/user/prepa/${prepaId}/hors-ligne${discipline === undefined ? '' : `?discipline=${discipline}`}`,
  label: isKept ? 'Gérer la copie gardée' : 'Garder hors ligne',
});
