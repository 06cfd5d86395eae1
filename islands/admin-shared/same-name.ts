/**
 * Whether somebody has typed a name that they were shown: a page shows several spaces as one, an unbreakable one as any other, and an accent
 * beside its letter as one on it.
 */
export const sameName = (typed: string, shown: string): boolean => asShown(typed) === asShown(shown);

const asShown = (name: string): string => name.normalize('NFC').replaceAll(/\s+/g, ' ').trim();
