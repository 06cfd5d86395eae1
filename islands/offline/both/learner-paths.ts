/** Paths of the pages over all kept prepas. Apart from learner-pages.ts, so that the worker does not contain the pages. */
export const learnerPaths = ['/user/a-revoir', '/user/dashboard'] as const;
export type LearnerPath = (typeof learnerPaths)[number];
