/** Name of the database and the channel, and prefix of the names of caches and locks. */
export const storeName = 'prepa-hors-ligne';
