/** Name of the cache with the rooms of mock exams: pages, scripts and styles, sealed papers and released keys. Pages and the worker use it. */
export const examCache = 'prepa-concours-blancs';
