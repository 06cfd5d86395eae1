import { useEffect, useState } from 'react';
import type { ItemKind } from '../../../src/shared/item-kinds.ts';
import { draftsWithin, dropDrafts, removeDrafts, type StoredDraft } from './draft-store.ts';
import { useLeaveWarning } from './use-leave-warning.ts';

/** 'typed': unsaved text of this page. 'left': an earlier page's draft, on which the author must decide. */
export type Unsaved = 'typed' | 'left' | null;

const keyOf = (kind: ItemKind, id: number | 'new'): string => `${kind}/${id}`;

/**
 * Tracks the items with unsaved text, of this page and of earlier ones. Warns before the page is left while it has unsaved text.
 * @param open ids of the open items, which manage their own drafts
 */
export function useDrafts(administratorId: string, disciplineId: number, open: readonly (number | null)[]) {
  const [found, setFound] = useState<readonly StoredDraft[]>([]);
  /** States reported by open items. They override the drafts found before. */
  const [reported, setReported] = useState<Readonly<Record<string, Unsaved>>>({});
  const typing = Object.values(reported).includes('typed');

  const opened = open.join();

  // Runs again when an item is closed: its unsaved text is a stored draft now.
  // biome-ignore lint/correctness/useExhaustiveDependencies: an effect of `opened`, see above
  useEffect(() => {
    let current = true;
    draftsWithin(administratorId, disciplineId).then((drafts) => current && setFound(drafts));
    return () => {
      current = false;
    };
  }, [administratorId, disciplineId, opened]);
  useLeaveWarning(typing);

  /** Records the state reported by an open item. */
  function report(kind: ItemKind, id: number, unsaved: Unsaved): void {
    setReported((before) => (before[keyOf(kind, id)] === unsaved ? before : { ...before, [keyOf(kind, id)]: unsaved }));
  }

  return {
    /** Returns whether the item has unsaved text on this device. */
    has: (kind: ItemKind, id: number): boolean => {
      const said = reported[keyOf(kind, id)];
      return said === undefined ? found.some(({ place }) => keyOf(place.kind, place.item) === keyOf(kind, id)) : said !== null;
    },
    /** Returns drafts of items that are no longer in the list. */
    orphans: (kind: ItemKind, items: readonly { id: number }[]): StoredDraft[] =>
      found.filter(
        ({ place: { kind: of, item } }) => of === kind && item !== 'new' && !open.includes(item) && !items.some(({ id }) => id === item),
      ),
    report,
    /** Deletes the drafts of a deleted item. */
    drop: (kind: ItemKind, id: number): void => {
      dropDrafts({ administratorId, disciplineId, kind, item: id });
      report(kind, id, null);
      setFound((drafts) => drafts.filter(({ place }) => place.kind !== kind || place.item !== id));
    },
    /** Deletes a draft that was used or rejected. */
    forget: (stored: StoredDraft): void => {
      removeDrafts([stored]);
      setFound((drafts) => drafts.filter((draft) => draft !== stored));
    },
  };
}
