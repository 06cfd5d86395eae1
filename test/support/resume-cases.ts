/** State of an item: read last, finished, marked 'à revoir' some days ago (exercises and past exams: indexes 1, 2 and 5). */
interface ResumeState {
  last?: true;
  finished?: true;
  toReview?: number;
}

/**
 * Six items of a prepa in order, the first three in one discipline. `leads` is the index where 'Reprendre' leads, or null; with `practice`,
 * to its practice.
 */
interface ResumeCase {
  items: ResumeState[];
  leads: number | null;
  practice?: true;
  /** Nothing has been opened. */
  begins?: true;
}

const last = { last: true } as const;
const done = { finished: true } as const;
const lastDone = { ...last, ...done };

/** The rule of 'Reprendre' as a table, for both the server's SQL and the browser's implementation. */
export const resumeCases: Record<string, ResumeCase> = {
  'nothing read yet: the first one': { items: [{}, {}, {}, {}, {}, {}], leads: 0, begins: true },
  'nothing read yet, the first finished on another device': { items: [done, {}, {}, {}, {}, {}], leads: 1, begins: true },
  'read last, not finished': { items: [done, last, {}, {}, {}, {}], leads: 1 },
  'read last, finished: the next one': { items: [lastDone, {}, {}, {}, {}, {}], leads: 1 },
  'the next ones are finished too': { items: [lastDone, done, {}, {}, {}, {}], leads: 2 },
  'the rest of the discipline is finished: the next discipline': { items: [{}, lastDone, done, done, {}, {}], leads: 4 },
  'nothing is left after it: from the start': { items: [done, {}, {}, done, done, lastDone], leads: 1 },
  'only before it in its own discipline': { items: [done, done, done, {}, lastDone, done], leads: 3 },
  'only in an earlier discipline': { items: [done, {}, done, lastDone, done, done], leads: 1 },
  'to be reviewed comes after what is unfinished': { items: [lastDone, { ...done, toReview: 9 }, {}, done, done, done], leads: 2 },
  'all finished: the one to be reviewed': { items: [done, done, lastDone, done, done, { ...done, toReview: 1 }], leads: 5, practice: true },
  'of several the oldest': {
    items: [done, { ...done, toReview: 2 }, { ...lastDone, toReview: 1 }, done, done, { ...done, toReview: 7 }],
    leads: 5,
    practice: true,
  },
  'all finished, nothing to review': { items: [done, done, done, done, lastDone, done], leads: null },
};
