/** Versions of an item that are listed, at most: the newest. All of them are kept. */
export const mostVersions = 100;
