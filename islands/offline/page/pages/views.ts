import keptState from '../../../../views/offline/kept-state.eta';
import offline from '../../../../views/offline/offline.eta';
import cover from '../../../../views/partials/cover.eta';
import noNetwork from '../../../../views/pictures/no-network.eta';
import nothingToReview from '../../../../views/pictures/nothing-to-review.eta';
import disciplineCards from '../../../../views/portal/discipline-cards.eta';
import disciplines from '../../../../views/portal/disciplines.eta';
import failure from '../../../../views/portal/failure.eta';
import itemSearch from '../../../../views/portal/item-search.eta';
import progress from '../../../../views/portal/progress.eta';
import ring from '../../../../views/portal/ring.eta';
import week from '../../../../views/revision/week.eta';
import search from '../../../../views/study/search.eta';
import study from '../../../../views/study/study.eta';
import curve from '../../../../views/training/curve.eta';
import outcome from '../../../../views/training/outcome.eta';
import outcomePicture from '../../../../views/training/outcome-picture.eta';
import practice from '../../../../views/training/practice.eta';
import { learnerPages } from './learner-pages.ts';
import type { CompiledView } from './render-view.ts';

/** The server's views of kept pages with the views they include, and the views under /offline, which only the browser shows. */
export const views: Readonly<Record<string, CompiledView>> = {
  ...Object.fromEntries(Object.values(learnerPages).map(({ name, view }) => [name, view])),
  '/offline/kept-state': keptState,
  '/offline/offline': offline,
  '/training/curve': curve,
  '/training/outcome': outcome,
  '/training/outcome-picture': outcomePicture,
  '/training/practice': practice,
  '/revision/week': week,
  '/study/search': search,
  '/study/study': study,
  '/partials/cover': cover,
  '/portal/discipline-cards': disciplineCards,
  '/portal/disciplines': disciplines,
  '/portal/failure': failure,
  '/portal/item-search': itemSearch,
  '/portal/progress': progress,
  '/portal/ring': ring,
  '/pictures/no-network': noNetwork,
  '/pictures/nothing-to-review': nothingToReview,
};
