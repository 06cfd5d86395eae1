/**
 * Returns whether the typed name looks like the shown one. A page shows several spaces as one, a non-breaking space like a normal one,
 * and a decomposed accent like a composed one.
 */
export const sameName = (typed: string, shown: string): boolean => asShown(typed) === asShown(shown);

const asShown = (name: string): string => name.normalize('NFC').replaceAll(/\s+/g, ' ').trim();
