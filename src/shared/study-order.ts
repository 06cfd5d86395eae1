import type { ItemKind } from './item-kinds.ts';
import { studyKinds } from './study/kinds.ts';

export interface ItemRef {
  type: ItemKind;
  id: number;
}

/** Link from the last item of a section to the first item of the next non-empty section. */
export interface Onward extends ItemRef {
  label: string;
}

/** Returns the link to the next non-empty section of a discipline; null after the last one. `sections` must be in order. */
export function onwardFrom(sections: readonly { type: ItemKind; items: readonly { id: number }[] }[], type: ItemKind): Onward | null {
  const later = sections.slice(sections.findIndex((section) => section.type === type) + 1);
  for (const section of later) {
    const [first] = section.items;
    if (first) return { type: section.type, id: first.id, label: studyKinds[section.type].onward };
  }
  return null;
}
