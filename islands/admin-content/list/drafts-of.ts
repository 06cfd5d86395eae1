import type { ItemKind } from '../../../src/shared/item-kinds.ts';
import type { DraftSummary } from '../items/records.ts';
import { formatMoment } from '../items/times.ts';
import type { Screen } from '../use-screen.ts';

/** Returns the drafts of new items of a kind. */
export const newDraftsOf = ({ state }: Screen, kind: ItemKind): DraftSummary[] =>
  state.drafts.filter(({ type, publie }) => type === kind && !publie);

/** Returns the drafts that have no time of publication: those that have one wait for it. */
export const unplanned = (drafts: readonly DraftSummary[]): DraftSummary[] => drafts.filter(({ publication }) => publication === null);

export const countedRemarks = (count: number): string => (count === 1 ? '1 remarque' : `${count} remarques`);

/** Returns when a draft will be published, or why it was not, in French; null if nothing is planned. */
export function planOf({ publication, echec }: DraftSummary): string | null {
  if (publication) return `Publication prévue : ${formatMoment(publication, new Date())}`;
  return echec && `Pas publié : ${echec}`;
}
