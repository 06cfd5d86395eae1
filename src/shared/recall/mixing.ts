interface Mixed {
  id: string;
  discipline: number;
}

/** Returns the items with those of each group spread evenly over the list; the order within a group stays. */
function spread<Item extends Mixed>(items: readonly Item[], groupOf: (item: Item) => number | string): Item[] {
  const groups = new Map<number | string, Item[]>();
  for (const item of items) {
    const group = groups.get(groupOf(item));
    if (group) group.push(item);
    else groups.set(groupOf(item), [item]);
  }
  const placed = [...groups.values()].flatMap((group) => group.map((item, index) => ({ item, place: (index + 0.5) / group.length })));
  return placed.toSorted((one, other) => one.place - other.place || byId(one.item, other.item)).map(({ item }) => item);
}

export const byId = (one: { id: string }, other: { id: string }): number => (one.id < other.id ? -1 : one.id > other.id ? 1 : 0);

/** Returns the questions with disciplines mixed, and within each discipline new and repeated ones. */
export const mixed = <Item extends Mixed & { isNew: boolean }>(items: readonly Item[]): Item[] =>
  spread(items, ({ discipline, isNew }) => `${discipline} ${isNew}`);

/** Returns the new questions in the order in which they are introduced: each discipline in its order, all at the same pace. */
export const introduced = <Item extends Mixed & { position: number }>(items: readonly Item[]): Item[] =>
  spread(
    items.toSorted((one, other) => one.position - other.position || byId(one, other)),
    ({ discipline }) => discipline,
  );
