import fp from 'fastify-plugin';
import { documentsFolder } from '../../platform/files/storage.ts';
import type { Assets } from '../../platform/pages/assets.ts';
import type { ModuleKernel } from '../../platform/use-cases/kernel-access.ts';
import type { PaymentProviders } from '../payment/index.ts';
import { contentAdministrationPages } from './administration.pages.ts';
import { authoringRoutes } from './authoring.routes.ts';
import { documentRoutes } from './documents.routes.ts';
import { itemAdministrationRoutes } from './item.administration.routes.ts';
import { itemRoutes } from './item.routes.ts';
import { practicePages } from './practice.pages.ts';
import { contributeProgress } from './reading.progress.ts';
import { readingRoutes } from './reading.routes.ts';
import { ReadingJournal } from './reading-journal.ts';
import { searchPages } from './search.pages.ts';
import { studyPages } from './study.pages.ts';
import { closeTextWork } from './text-work/text-work.ts';
import { trialPages } from './trial.pages.ts';

export { subscribe } from './content.subscriptions.ts';
export { ContentImage, ItemImage } from './content-image.entity.ts';
export { Item } from './item.entity.ts';
export { ItemDocument } from './item-document.entity.ts';
export { ItemReading } from './item-reading.entity.ts';
export { ItemVersion } from './item-version.entity.ts';
export { Practice } from './practice.entity.ts';

/** Reading and loading content folders, fetched by the one command that needs it: its parsers weigh more than the rest of the server. */
export const contentFolders = () => import('./seed/index.ts');

/** Lessons, exercises and past subjects; the study and trial pages. */
export const content = fp<{ kernel: ModuleKernel & { providers: PaymentProviders }; assets: Assets }>(
  async (app, { kernel, assets }) => {
    await app.register(itemRoutes, { prefix: '/api' });
    await app.register(itemRoutes);
    const journal = new ReadingJournal({ fork: () => kernel.fork(), log: kernel.context.log });
    app.addHook('onClose', () => journal.settle());
    contributeProgress(app, journal);
    const folder = documentsFolder(kernel.config.dataDir);
    for (const prefix of ['/api', '']) {
      await app.register(itemAdministrationRoutes, { prefix });
      await app.register(authoringRoutes, { prefix });
      await app.register(documentRoutes, { prefix, folder });
      await app.register(readingRoutes, { prefix, journal });
    }
    app.addHook('onClose', closeTextWork);
    await app.register(studyPages, { assets, journal });
    await app.register(trialPages, { kernel });
    await app.register(searchPages);
    await app.register(practicePages, { journal });
    await app.register(contentAdministrationPages);
  },
  { name: 'content', dependencies: ['identity', 'catalogue', 'enrolment'] },
);
