import again from '../../../views/content/again.eta';
import keptState from '../../../views/content/kept-state.eta';
import offline from '../../../views/content/offline.eta';
import outcome from '../../../views/content/outcome.eta';
import practice from '../../../views/content/practice.eta';
import search from '../../../views/content/search.eta';
import study from '../../../views/content/study.eta';
import cover from '../../../views/partials/cover.eta';
import disciplineCards from '../../../views/portal/discipline-cards.eta';
import disciplines from '../../../views/portal/disciplines.eta';
import failure from '../../../views/portal/failure.eta';
import itemSearch from '../../../views/portal/item-search.eta';
import progress from '../../../views/portal/progress.eta';
import type { CompiledView } from './render-view.ts';

/** The server's own views of what is kept and what they include, and two that are shown here alone. */
export const views: Readonly<Record<string, CompiledView>> = {
  '/content/again': again,
  '/content/kept-state': keptState,
  '/content/offline': offline,
  '/content/outcome': outcome,
  '/content/practice': practice,
  '/content/search': search,
  '/content/study': study,
  '/partials/cover': cover,
  '/portal/discipline-cards': disciplineCards,
  '/portal/disciplines': disciplines,
  '/portal/failure': failure,
  '/portal/item-search': itemSearch,
  '/portal/progress': progress,
};
