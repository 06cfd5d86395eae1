import fp from 'fastify-plugin';
import { registerCalls } from '../../platform/http/calls.ts';
import type { PaymentKernel } from '../payment/index.ts';
import { itemTextCache, itemTextRoutes } from './pages/item-text.routes.ts';
import { studyPages } from './pages/study.pages.ts';
import { trialPages } from './pages/trial.pages.ts';
import { ItemReading } from './progress/reading.entity.ts';
import { ReadingJournal } from './progress/reading-journal.ts';
import { readingCountsPages } from './reading-counts/reading-counts.pages.ts';
import { reportAdministrationPages } from './reports/report.administration.pages.ts';
import { ItemReport } from './reports/report.entity.ts';
import { reportPages } from './reports/report.pages.ts';
import { subscribe } from './retention/learner.subscriptions.ts';
import { searchPages } from './search/search.pages.ts';

export { movedItemHref } from './pages/moved-item.ts';
export { isPageView } from './pages/page-view.ts';
export { finishBody, studyParams, studyQuery } from './pages/study-query.ts';
export type { ItemMark } from './progress/item-mark.ts';
export { progressReader } from './progress/reading.progress.ts';
export { builtUpQuery, finishedOtherwise, keepReadings, progressParts, resumeSql } from './progress/reading.repository.ts';
export { readingRoutes } from './progress/reading.routes.ts';
export type { ReadingJournal } from './progress/reading-journal.ts';
export { watchWaitingWords } from './search/waiting-words.ts';

/** The pages where learners read a prepa's texts, search them and report errors; their reading marks and progress. */
const plugin = fp<{ kernel: PaymentKernel }>(
  async (app, { kernel }) => {
    const journal = new ReadingJournal({ fork: () => kernel.fork(), log: kernel.context.log });
    app.addHook('onClose', () => journal.flush());
    app.decorate('readingJournal', journal);
    const searchIcon = 'M4 10.5a6.5 6.5 0 1 0 13 0a6.5 6.5 0 1 0-13 0M15.5 15.5L21 21';
    app.contributeToLearnerMenu({ href: '/user/recherche', label: 'Rechercher dans mes contenus', icon: searchIcon });
    const { pictureSigner: signer, readsLimit: reads } = app;
    await registerCalls(app, itemTextRoutes, { journal, reads, cache: itemTextCache(signer) });
    await app.register(studyPages, { journal, reads, signer, offline: kernel.config.offline });
    await app.register(trialPages, { kernel, signer });
    await app.register(searchPages);
    await app.register(reportPages);
    await app.register(reportAdministrationPages);
    await app.register(readingCountsPages);
  },
  { name: 'study', dependencies: ['content'] },
);

export const study = { plugin, entities: [ItemReading, ItemReport], subscribe };
