import { type ItemKind, itemKinds } from '../../src/shared/item-kinds.ts';

export interface Selection {
  kind: ItemKind;
  item: number | null;
}

/** Reads the tab and item from `?type=course&item=12`. An unknown type selects the first tab; an invalid item selects no item. */
export function readSelection(search: string): Selection {
  const query = new URLSearchParams(search);
  const kind = itemKinds.find((known) => known === query.get('type'));
  const item = query.get('item') ?? '';
  return kind ? { kind, item: /^[1-9]\d{0,9}$/.test(item) ? Number(item) : null } : { kind: 'course', item: null };
}

/** Returns the query string of a selection. */
export const writeSelection = ({ kind, item }: Selection): string => `?type=${kind}${item === null ? '' : `&item=${item}`}`;
