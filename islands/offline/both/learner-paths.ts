/**
 * The pages over all kept prepas, with the time after which the copy is shown instead of a late response, in ms. The server's dashboard has
 * the catalogue and the payments, so a slow network gets more time for it. Apart from learner-pages.ts, so that the worker does not contain
 * the pages.
 */
export const learnerPaths = { '/user/a-revoir': 3_000, '/user/dashboard': 10_000 };
export type LearnerPath = keyof typeof learnerPaths;
