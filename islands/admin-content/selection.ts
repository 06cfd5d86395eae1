import { type ItemKind, itemKinds } from '../../src/shared/item-kinds.ts';

export interface Selection {
  kind: ItemKind;
  item: number | null;
}

/** `?type=course&item=12`: which tab and which item an address names. Anything else names the first tab. */
export function readSelection(search: string): Selection {
  const query = new URLSearchParams(search);
  const kind = itemKinds.find((known) => known === query.get('type'));
  const item = query.get('item') ?? '';
  return kind ? { kind, item: /^[1-9]\d{0,9}$/.test(item) ? Number(item) : null } : { kind: 'course', item: null };
}

/** The same, written; to be followed from the page itself. */
export const writeSelection = ({ kind, item }: Selection): string => `?type=${kind}${item === null ? '' : `&item=${item}`}`;
