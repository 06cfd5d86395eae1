import type { AttachedDocument, Section, StudyProps } from '../../src/shared/study/study-page.ts';
import { type ItemRef, type Onward, onwardFrom } from '../../src/shared/study-order.ts';

export type { AttachedDocument, ItemRef, Section, StudyProps };

export interface Place {
  titre: string;
  /** Position in the item's own section, from 1. */
  page: number;
  pages: number;
  /** Neighbours in the section that can be opened. */
  previous: ItemRef | null;
  next: ItemRef | null;
  /** The next one is there, and closed to this reader. */
  nextLocked: boolean;
  /** After the last of the section: where one goes on; null at the very end, and before. */
  onward: Onward | null;
}

export const sameItem = (one: ItemRef | null, other: ItemRef | null): boolean => one?.type === other?.type && one?.id === other?.id;

/** The address of an item's own page: what its link says, with or without script. */
export const itemHref = (base: string, { type, id }: ItemRef): string => `${base}?type=${type}&item=${id}`;

/** The page above the study page: the prepa's disciplines. */
export const parentHref = (base: string): string => base.slice(0, base.lastIndexOf('/'));

/** What answers a tap on what is locked: the trial's banner, further down the same page. */
export const unlockHref = '#acces-limite';

/** The prepa that a study page belongs to. */
export const prepaIdOf = (base: string): string => base.split('/').at(-2) ?? '';

/** Where an item stands; null when the outline does not name it. */
export function placeOf(sections: Section[], ref: ItemRef | null): Place | null {
  for (const { type, items } of sections) {
    const index = type === ref?.type ? items.findIndex(({ id }) => id === ref.id) : -1;
    const item = items[index];
    if (!item) continue;
    const neighbour = (at: number): ItemRef | null => {
      const found = items[at];
      return found && !found.locked ? { type, id: found.id } : null;
    };
    const following = items[index + 1];
    return {
      titre: item.titre,
      page: index + 1,
      pages: items.length,
      previous: neighbour(index - 1),
      next: neighbour(index + 1),
      nextLocked: following?.locked === true,
      onward: following ? null : onwardFrom(sections, type),
    };
  }
  return null;
}

/**
 * The item that a query string names; without one, as on the server, the first of the first section that has any.
 * Null for an item that the outline does not name.
 */
export function addressedItem(sections: Section[], search: string): ItemRef | null {
  const query = new URLSearchParams(search);
  const type = query.get('type');
  const asked = query.get('item');
  const bare = type === null && asked === null;
  for (const section of sections) {
    const item = bare ? section.items[0] : section.type === type && section.items.find(({ id }) => String(id) === asked);
    if (item) return { type: section.type, id: item.id };
  }
  return null;
}

/** A document's title with another item's name in it; what follows the last bar is the site's. */
export function documentTitle(current: string, titre: string, trail: string): string {
  const bar = current.lastIndexOf(' | ');
  return `${titre} - ${trail}${bar < 0 ? '' : current.slice(bar)}`;
}
