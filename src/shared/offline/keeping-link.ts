import { formatBytes } from '../bytes.ts';

/** Link to the page where a prepa is kept for reading without network. */
export interface KeepingLink {
  href: string;
  label: string;
}

/** Returns the link. @param discipline the only discipline that the page ticks  @param isKept whether this device keeps the prepa already  @param download its size in bytes, if known */
export const keepingLink = (
  prepaId: number,
  { discipline, isKept = false, download = null }: { discipline?: number; isKept?: boolean; download?: number | null } = {},
): KeepingLink => ({
  href: `/user/prepa/${prepaId}/hors-ligne${discipline === undefined ? '' : `?discipline=${discipline}`}`,
  label: isKept ? 'Gérer la copie gardée' : `Garder hors ligne${download === null ? '' : ` (${formatBytes(download)})`}`,
});
