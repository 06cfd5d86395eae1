/** Returns the number of different items in unsent entries. */
export const itemsAmong = (entries: readonly { item: number }[]): number => new Set(entries.map(({ item }) => item)).size;

/** '1 contenu', '2 contenus'. */
export const countOf = (items: number): string => `${items} ${items === 1 ? 'contenu' : 'contenus'}`;
