import fp from 'fastify-plugin';
import { registerCalls } from '../../platform/http/calls.ts';
import { createAttemptLimiter } from '../../platform/limits/attempt-limiter.ts';
import type { Assets } from '../../platform/pages/assets.ts';
import type { PaymentKernel } from '../payment/index.ts';
import { offlineRoutes } from './calls/offline.routes.ts';
import { OfflineCopy, OfflineDevice } from './devices/device.entity.ts';
import { endSigner } from './devices/end-of-copy.ts';
import { keptDevicesPages } from './devices/kept-devices.pages.ts';
import { OfflineEntry } from './entries/entry.entity.ts';
import { reopeningPages, reopeningRoutes } from './entries/reopening.routes.ts';
import { keepingPages } from './keeping/keeping.pages.ts';
import { keptPage } from './keeping/kept-page.ts';
import { workerPages } from './keeping/worker.pages.ts';
import { offlinePrunings } from './retention/offline.prunings.ts';
import { subscribe } from './retention/offline.subscriptions.ts';
import { OfflinePiece } from './texts/piece.entity.ts';
import { keepPieceOf } from './texts/texts.service.ts';

/** Downloads of texts and differences per learner and hour. Items that are read one by one are limited by `ReadsLimit`. */
const downloadsPerHour = 30;

/** Prepas kept on learners' devices: downloads, marks sent later, and the pages that manage copies. */
const plugin = fp<{ kernel: PaymentKernel; assets: Assets }>(
  async (app, { kernel, assets }) => {
    const { readingJournal: journal } = app;
    const open = kernel.config.offline;
    await registerCalls(app, reopeningRoutes, { journal });
    await registerCalls(app, offlineRoutes, {
      journal,
      signer: endSigner(),
      downloads: await createAttemptLimiter(kernel.orm, { name: 'offline-texts', points: downloadsPerHour, windowSeconds: 3600 }),
      open,
    });
    await app.register(keptDevicesPages);
    await app.register(workerPages, { assets, open });
    await app.register(reopeningPages, { journal });
    if (!open) return;
    app.afterItemSave.push((item) => keepPieceOf(kernel.fork(), kernel.context, item));
    await app.register(keepingPages);
    await app.register(keptPage);
    const deviceIcon = 'M7 3h10v18H7zM12 7v7M9 11l3 3 3-3';
    app.contributeToLearnerMenu({ href: '/user/hors-ligne', label: 'Gardé sur cet appareil', icon: deviceIcon });
  },
  { name: 'offline', dependencies: ['study'] },
);

export { knownDownload, readSizes } from './keeping/sizes.service.ts';

export const offline = {
  plugin,
  entities: [OfflineDevice, OfflineCopy, OfflineEntry, OfflinePiece],
  prunings: offlinePrunings,
  subscribe,
};
