import { useEffect, useState } from 'react';
import type { ItemKind } from '../../../src/shared/item-kinds.ts';
import type { ItemSummary } from '../items/records.ts';
import { draftsWithin, dropDrafts, removeDrafts, type StoredDraft } from './draft-store.ts';
import { useLeaveWarning } from './use-leave-warning.ts';

/** 'typed': on this page. 'left': by an earlier one, to be decided on. */
export type Unsaved = 'typed' | 'left' | null;

const keyOf = (kind: ItemKind, id: number | 'new'): string => `${kind}/${id}`;

/**
 * Which items have unsaved text: of this page, and what earlier ones have left. Leaving the page warns while there is some of its own.
 * @param open ids of the items that are open: they look after their drafts themselves
 */
export function useDrafts(administratorId: string, disciplineId: number, open: readonly (number | null)[]) {
  const [found, setFound] = useState<readonly StoredDraft[]>([]);
  /** Items that were opened know better than what was found before. */
  const [reported, setReported] = useState<Readonly<Record<string, Unsaved>>>({});
  const typing = Object.values(reported).includes('typed');

  const opened = open.join();

  // Again when something is closed: what was typed in it is a draft now.
  // biome-ignore lint/correctness/useExhaustiveDependencies: see above
  useEffect(() => {
    let current = true;
    draftsWithin(administratorId, disciplineId).then((drafts) => current && setFound(drafts));
    return () => {
      current = false;
    };
  }, [administratorId, disciplineId, opened]);
  useLeaveWarning(typing);

  /** What the open item says of itself. */
  function report(kind: ItemKind, id: number, unsaved: Unsaved): void {
    setReported((before) => (before[keyOf(kind, id)] === unsaved ? before : { ...before, [keyOf(kind, id)]: unsaved }));
  }

  return {
    /** Whether something of this item is typed and not saved, on this device. */
    has: (kind: ItemKind, id: number): boolean => {
      const said = reported[keyOf(kind, id)];
      return said === undefined ? found.some(({ place }) => keyOf(place.kind, place.item) === keyOf(kind, id)) : said !== null;
    },
    /** Drafts of items that are not in the list any more. */
    orphans: (kind: ItemKind, items: readonly ItemSummary[]): StoredDraft[] =>
      found.filter(
        ({ place: { kind: of, item } }) => of === kind && item !== 'new' && !open.includes(item) && !items.some(({ id }) => id === item),
      ),
    report,
    /** The item is deleted, and nobody wants its drafts. */
    drop: (kind: ItemKind, id: number): void => {
      dropDrafts({ administratorId, disciplineId, kind, item: id });
      report(kind, id, null);
      setFound((drafts) => drafts.filter(({ place }) => place.kind !== kind || place.item !== id));
    },
    /** This draft is used up, or not wanted. */
    forget: (stored: StoredDraft): void => {
      removeDrafts([stored]);
      setFound((drafts) => drafts.filter((draft) => draft !== stored));
    },
  };
}
