import { formatDate } from '../../../../src/shared/dates.ts';
import { presentProgress } from '../../../../src/shared/study/progress.ts';
import { maxToReview, presentToReview } from '../../../../src/shared/study/to-review.ts';
import today from '../../../../views/offline/today.eta';
import again from '../../../../views/training/again.eta';
import type { LearnerPath } from '../../both/learner-paths.ts';
import { presentSessionCard } from '../session/current.ts';
import { type KeptPrepa, progressOf, resumeOf, toReviewOf } from './kept-prepa.ts';
import type { CompiledView } from './render-view.ts';

/** A page over all kept prepas. */
interface LearnerPage {
  /** Name of the view, the same as on the server. */
  name: string;
  view: CompiledView;
  /** Returns the view's data. */
  present: (prepas: readonly KeptPrepa[], now: Date) => { title: string };
}

export const learnerPages: Readonly<Record<LearnerPath, LearnerPage>> = {
  '/user/a-revoir': {
    name: '/training/again',
    view: again,
    present: (prepas) => presentToReview(toReviewOf(prepas).slice(0, maxToReview)),
  },
  '/user/dashboard': { name: '/offline/today', view: today, present: presentToday },
};

/** Returns the session of the day and the next step in each kept prepa, the prepa read last first. */
function presentToday(prepas: readonly KeptPrepa[], now: Date) {
  const resumes = prepas.flatMap((prepa) => resumeOf(prepa) ?? []);
  const progress = presentProgress([], prepas.flatMap(progressOf), {}, resumes);
  const shown = prepas.map(({ copy: { id, nom, endAt } }) => ({
    id,
    nom,
    fin: formatDate(new Date(endAt)),
    progress: progress.prepas[id] ?? null,
    resume: progress.prepas[id]?.resume ?? null,
  }));
  return {
    title: "Aujourd'hui",
    session: presentSessionCard(
      prepas.map(({ copy }) => copy),
      progress.readLast,
      now,
    ),
    prepas: shown.toSorted((one, other) => Number(other.id === progress.readLast) - Number(one.id === progress.readLast)),
  };
}
