/** Versions of an item that are listed, at most: the newest. All of them are kept. */
export const maxListedVersions = 100;
