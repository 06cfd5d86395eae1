import fp from 'fastify-plugin';
import { registerCalls } from '../../platform/http/calls.ts';
import { type DisciplineProgress, type MarkedCounts, presentProgress } from '../../shared/study/progress.ts';
import type { ResumePlace } from '../../shared/study/resume.ts';
import { builtUpQuery, progressParts, progressReader, readingRoutes, resumeSql } from '../study/index.ts';
import { PracticeMark } from './marks/mark.entity.ts';
import { markPages } from './marks/mark.pages.ts';
import { curveSql } from './marks/mark.repository.ts';
import { describeBuiltUp } from './practice/built-up.ts';
import { notePages } from './practice/note.pages.ts';
import { outcomePages } from './practice/outcome.pages.ts';
import { Practice } from './practice/practice.entity.ts';
import { practicePages } from './practice/practice.pages.ts';
import { markedExercisesSql, toReviewCount, toReviewMark } from './practice/practice.repository.ts';
import { subscribe } from './retention/learner.subscriptions.ts';

export { curveSql, describeBuiltUp, markedExercisesSql };

/** The marks that an item can carry for a learner, besides having been read. */
const marks = [toReviewMark];

/** Returns the signed-in learner's progress with these marks: see `progressReader`. */
export const readProgress = progressReader(marks);

/** Returns what a learner has done in a prepa, whether it is open or not. */
export const findBuiltUp = builtUpQuery(marks);

/** Returns parts of a statement that reads the progress within a page's own statement. Call `readingJournal.flushSoon` first. */
export const progressSql = (learner: string, now: string, prepa: string) => ({
  ...progressParts(marks, learner, now),
  resume: resumeSql(marks, learner, prepa),
});

/** Returns the progress from rows that were read with `progressSql`. */
export const studyProgress = (rows: readonly DisciplineProgress[], marked: MarkedCounts, resume: ResumePlace | null) =>
  presentProgress(marks, rows, marked, resume ? [resume] : []);

/** Practising exercises and past subjects: timer, correction, the learner's own mark, and the list of items to review. */
const plugin = fp(
  async (app) => {
    const { readingJournal: journal, readsLimit: reads, pictureSigner: signer } = app;
    app.readForHeader('toReview', toReviewCount);
    // The calls on reading marks also return the marks of this module.
    await registerCalls(app, readingRoutes, { journal, marks });
    await app.register(practicePages, { journal, reads, signer });
    await app.register(notePages, { reads, signer });
    await app.register(outcomePages, { journal });
    await app.register(markPages);
  },
  { name: 'training', dependencies: ['study'] },
);

export const training = { plugin, entities: [Practice, PracticeMark], subscribe };
