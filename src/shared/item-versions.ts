/** Maximum number of versions in an item's list, which shows the newest. The database keeps all versions. */
export const maxListedVersions = 100;
