import { maxToReview, presentToReview } from '../../../../src/shared/study/to-review.ts';
import again from '../../../../views/training/again.eta';
import type { LearnerPath } from '../../both/learner-paths.ts';
import { type KeptPrepa, toReviewOf } from './kept-prepa.ts';
import type { CompiledView } from './render-view.ts';

/** A page over all kept prepas. */
interface LearnerPage {
  /** Name of the view, the same as on the server. */
  name: string;
  view: CompiledView;
  /** Returns the view's data. */
  present: (prepas: readonly KeptPrepa[]) => { title: string };
}

export const learnerPages: Readonly<Record<LearnerPath, LearnerPage>> = {
  '/user/a-revoir': {
    name: '/training/again',
    view: again,
    present: (prepas) => presentToReview(toReviewOf(prepas).slice(0, maxToReview)),
  },
};
