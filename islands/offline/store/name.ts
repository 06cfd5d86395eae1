/** Of the database, and the beginning of the names of caches, locks and the channel. */
export const storeName = 'prepa-hors-ligne';
