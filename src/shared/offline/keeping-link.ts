/** The way to keeping a prepa for reading without network, among a prepa's links. */
export interface KeepingLink {
  href: string;
  label: string;
}

/** With a discipline, that one alone is ticked. @param isKept this device keeps it already */
export const keepingLink = (
  prepaId: number,
  { discipline, isKept = false }: { discipline?: number; isKept?: boolean } = {},
): KeepingLink => ({
  href: `/user/prepa/${prepaId}/hors-ligne${discipline === undefined ? '' : `?discipline=${discipline}`}`,
  label: isKept ? 'Gérer la copie gardée' : 'Garder hors ligne',
});
