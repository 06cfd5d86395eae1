import type { ItemKind } from './item-kinds.ts';

export interface ItemRef {
  type: ItemKind;
  id: number;
}

/** What leads from the last item of a section to the first of the next one that has any. */
export interface Onward extends ItemRef {
  label: string;
}

const labels: Record<ItemKind, string> = {
  course: 'Passer aux cours',
  exercise: 'Passer aux exercices',
  pastExam: 'Passer aux anciens sujets',
};

/** What follows a section of a discipline; null after the last that has any item. `sections` stand in their order. */
export function onwardFrom(sections: readonly { type: ItemKind; items: readonly { id: number }[] }[], type: ItemKind): Onward | null {
  const later = sections.slice(sections.findIndex((section) => section.type === type) + 1);
  for (const section of later) {
    const [first] = section.items;
    if (first) return { type: section.type, id: first.id, label: labels[section.type] };
  }
  return null;
}
