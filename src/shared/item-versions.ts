/** Most versions of an item in its list, the newest. All versions are kept. */
export const maxListedVersions = 100;
