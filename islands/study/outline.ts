import type { AttachedDocument, Section, StudyProps } from '../../src/shared/study/study-page.ts';
import { type ItemRef, type Onward, onwardFrom } from '../../src/shared/study-order.ts';

export type { AttachedDocument, ItemRef, Section, StudyProps };

export interface Place {
  titre: string;
  /** Position within the section, from 1. */
  page: number;
  pages: number;
  /** Accessible neighbours in the section. */
  previous: ItemRef | null;
  next: ItemRef | null;
  /** The next item exists, but is locked for this reader. */
  nextLocked: boolean;
  /** After a section's last item: the next target. Null otherwise, and at the very end. */
  onward: Onward | null;
}

export const sameItem = (one: ItemRef | null, other: ItemRef | null): boolean => one?.type === other?.type && one?.id === other?.id;

/** Returns the address of an item's page, used by its link with and without script. */
export const itemHref = (base: string, { type, id }: ItemRef): string => `${base}?type=${type}&item=${id}`;

/** Returns the address of the parent page: the prepa's disciplines. */
export const parentHref = (base: string): string => base.slice(0, base.lastIndexOf('/'));

/** Target of links to locked items: the trial's banner on the same page. */
export const unlockHref = '#acces-limite';

/** Returns the id of the prepa in a study page's address. */
export const prepaIdOf = (base: string): string => base.split('/').at(-2) ?? '';

/** Returns an item's place, or null if it is not in the outline. */
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
 * Returns the item named in a query string. Without one, returns the first item of the first section with items, as the server does.
 * Returns null for an item that is not in the outline.
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

/** Replaces the item's name in a document title. The part after the last bar is the site's name. */
export function documentTitle(current: string, titre: string, trail: string): string {
  const bar = current.lastIndexOf(' | ');
  return `${titre} - ${trail}${bar < 0 ? '' : current.slice(bar)}`;
}
