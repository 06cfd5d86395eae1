import fp from 'fastify-plugin';
import { registerCalls } from '../../platform/http/calls.ts';
import { createAttemptLimiter } from '../../platform/limits/attempt-limiter.ts';
import type { Assets } from '../../platform/pages/assets.ts';
import type { DomainEvents } from '../../platform/use-cases/events.ts';
import { type DisciplineProgress, type MarkedCounts, presentProgress } from '../../shared/study/progress.ts';
import type { ResumePlace } from '../../shared/study/resume.ts';
import type { PaymentKernel } from '../payment/index.ts';

import { contentAdministrationPages } from './items/authoring/administration.pages.ts';
import { authoringRoutes } from './items/authoring/editor.routes.ts';
import { itemAdministrationRoutes } from './items/authoring/item.administration.routes.ts';
import { ItemDocument } from './items/documents/document.entity.ts';
import { storedDocuments } from './items/documents/document.repository.ts';
import { documentRoutes } from './items/documents/document.routes.ts';
import { ContentImage, ItemImage } from './items/images/image.entity.ts';
import { storedImages } from './items/images/image.service.ts';
import { pictureRoutes } from './items/images/picture.routes.ts';
import { pictureSigner } from './items/images/picture-address.ts';
import { Item } from './items/item.entity.ts';
import { itemRoutes } from './items/item.routes.ts';
import { ReadsLimit } from './items/reads-limit.ts';
import { subscribe as subscribeToDeletions } from './items/saves/content.subscriptions.ts';
import { ItemVersion } from './items/version.entity.ts';
import { OfflineCopy, OfflineDevice } from './offline/device.entity.ts';
import { endSigner } from './offline/end-of-copy.ts';
import { OfflineEntry } from './offline/entry.entity.ts';
import { keepingPages } from './offline/keeping.pages.ts';
import { keptDevicesPages } from './offline/kept-devices.pages.ts';
import { keptPage } from './offline/kept-page.ts';
import { offlinePrunings } from './offline/offline.prunings.ts';
import { offlineRoutes } from './offline/offline.routes.ts';
import { subscribe as subscribeOffline } from './offline/offline.subscriptions.ts';
import { OfflinePiece } from './offline/piece.entity.ts';
import { reopeningPages, reopeningRoutes } from './offline/reopening.routes.ts';
import { keepPieceOf } from './offline/texts.service.ts';
import { workerPages } from './offline/worker.pages.ts';
import { outcomePages } from './practice/outcome.pages.ts';
import { Practice } from './practice/practice.entity.ts';
import { practicePages } from './practice/practice.pages.ts';
import { toReviewMark } from './practice/practice.repository.ts';
import { readingsPages } from './readings/readings.pages.ts';
import { reportAdministrationPages } from './reports/report.administration.pages.ts';
import { ItemReport } from './reports/report.entity.ts';
import { reportPages } from './reports/report.pages.ts';
import { contentPrunings } from './retention/content.prunings.ts';
import { subscribe as subscribeToLearners } from './retention/learner.subscriptions.ts';
import { searchPages } from './search/search.pages.ts';
import { itemTextCache, itemTextRoutes } from './study/item-text.routes.ts';
import { ItemReading } from './study/reading.entity.ts';
import { progressReader } from './study/reading.progress.ts';
import { progressParts, resumeSql } from './study/reading.repository.ts';
import { readingRoutes } from './study/reading.routes.ts';
import { ReadingJournal } from './study/reading-journal.ts';
import { studyPages } from './study/study.pages.ts';
import { trialPages } from './study/trial.pages.ts';
import { closeTextWorkers } from './texts/client/text-worker.ts';

export { ItemDocument } from './items/documents/document.entity.ts';
export { Item } from './items/item.entity.ts';
export { indexItem } from './items/item-words.ts';
export { watchWaitingWords } from './search/waiting-words.ts';

/** Reading and loading content folders, fetched by the one command that needs it: its parsers weigh more than the rest of the server. */
export const contentFolders = () => import('./seed/index.ts');

/** What a learner's items are marked with, besides having been read. */
const marks = [toReviewMark];

/** Drawing stored formulas anew, fetched by the one command that needs it. */
export const formulaDrawing = () => import('./drawing/index.ts');

export const readProgress = progressReader(marks);

/** The same for a page that reads it within its own statement, once what has just been opened is written (`readingJournal.flushSoon`). */
export const progressSql = (learner: string, now: string, prepa: string) => ({
  ...progressParts(marks, learner, now),
  resume: resumeSql(marks, learner, prepa),
});
export const studyProgress = (rows: readonly DisciplineProgress[], marked: MarkedCounts, resume: ResumePlace | null) =>
  presentProgress(marks, rows, marked, resume ? [resume] : []);

/** Of one learner: whole prepas for their devices, and differences. What is read item by item counts elsewhere (`ReadsLimit`). */
const offlineDownloadsPerHour = 30;

/** Lessons, exercises and past subjects; the study and trial pages. */
const plugin = fp<{ kernel: PaymentKernel; assets: Assets }>(
  async (app, { kernel, assets }) => {
    const reads = new ReadsLimit(kernel.config.limits.itemReadsPerLearner);
    await registerCalls(app, itemRoutes, { reads });
    const journal = new ReadingJournal({ fork: () => kernel.fork(), log: kernel.context.log });
    app.addHook('onClose', () => journal.flush());
    app.decorate('readingJournal', journal);
    const signer = pictureSigner();
    await app.register(pictureRoutes, { store: kernel.context.files, signer });
    const { offline } = kernel.config;
    await registerCalls(app, itemAdministrationRoutes, {
      saved: offline ? (item) => keepPieceOf(kernel.fork(), kernel.context, item) : null,
    });
    await registerCalls(app, authoringRoutes, {});
    await registerCalls(app, documentRoutes, { store: kernel.context.documents, reads });
    await registerCalls(app, readingRoutes, { journal, marks });
    await registerCalls(app, reopeningRoutes, { journal });
    await registerCalls(app, itemTextRoutes, { journal, reads, cache: itemTextCache(signer) });
    await registerCalls(app, offlineRoutes, {
      journal,
      signer: endSigner(),
      downloads: await createAttemptLimiter(kernel.orm, { name: 'offline-texts', points: offlineDownloadsPerHour, windowSeconds: 3600 }),
      open: offline,
    });
    await app.register(keptDevicesPages);
    await app.register(workerPages, { assets, open: offline });
    app.addHook('onClose', closeTextWorkers);
    await app.register(studyPages, { journal, reads, signer, offline });
    await app.register(trialPages, { kernel, signer });
    await app.register(searchPages);
    await app.register(practicePages, { journal, reads, signer });
    await app.register(outcomePages, { journal });
    await app.register(reopeningPages, { journal });
    await app.register(contentAdministrationPages);
    await app.register(reportPages);
    await app.register(reportAdministrationPages);
    await app.register(readingsPages);
    if (!offline) return;
    await app.register(keepingPages);
    await app.register(keptPage);
  },
  { name: 'content', dependencies: ['identity', 'catalogue', 'enrolment'] },
);

export const content = {
  plugin,
  entities: [
    Item,
    ItemVersion,
    ContentImage,
    ItemImage,
    ItemDocument,
    ItemReading,
    Practice,
    ItemReport,
    OfflineDevice,
    OfflineCopy,
    OfflineEntry,
    OfflinePiece,
  ],
  storedFiles: [storedImages, storedDocuments],
  prunings: [...contentPrunings, ...offlinePrunings],
  subscribe(events: DomainEvents) {
    subscribeToDeletions(events);
    subscribeToLearners(events);
    subscribeOffline(events);
  },
};
