import type { FastifyInstance } from 'fastify';
import fp from 'fastify-plugin';
import { registerCalls } from '../../platform/http/calls.ts';
import { place } from '../../platform/processes/first-process.ts';
import type { PaymentKernel } from '../payment/index.ts';
import { contentAdministrationPages } from './items/authoring/administration.pages.ts';
import { authoringRoutes } from './items/authoring/editor.routes.ts';
import { itemAdministrationRoutes } from './items/authoring/item.administration.routes.ts';
import { ItemDocument } from './items/documents/document.entity.ts';
import { storedDocuments } from './items/documents/document.repository.ts';
import { documentRoutes } from './items/documents/document.routes.ts';
import { ItemDraft, ItemDraftImage } from './items/drafts/draft.entity.ts';
import { questionExportPages } from './items/export/export.pages.ts';
import { ContentImage, ItemImage } from './items/images/image.entity.ts';
import { storedImages } from './items/images/image.service.ts';
import { pictureRoutes } from './items/images/picture.routes.ts';
import { type FindSigner, pictureSigner } from './items/images/picture-address.ts';
import { Item } from './items/item.entity.ts';
import type { ItemRow } from './items/item.repository.ts';
import { itemRoutes } from './items/item.routes.ts';
import { moveRoutes } from './items/moves/move.routes.ts';
import { ItemPresence } from './items/presence/presence.entity.ts';
import { presenceRoutes } from './items/presence/presence.routes.ts';
import { draftRoutes } from './items/publication/draft.routes.ts';
import { previewPages } from './items/publication/preview.pages.ts';
import { publishMeanwhile } from './items/publication/publish-loop.ts';
import { DiagnosticQuestion } from './items/questions/diagnostic-question.entity.ts';
import { Question } from './items/questions/question.entity.ts';
import { ReadsLimit } from './items/reads-limit.ts';
import { replaceRoutes } from './items/replacing/replace.routes.ts';
import { subscribe } from './items/saves/content.subscriptions.ts';
import { ItemVersion } from './items/version.entity.ts';
import { contentPrunings } from './retention/content.prunings.ts';
import { closeTextWorkers } from './texts/client/text-worker.ts';

export { ItemDocument } from './items/documents/document.entity.ts';
export { countLatePublications } from './items/drafts/draft.repository.ts';
export { endOfAddresses, type FindSigner, withSignedPictures } from './items/images/picture-address.ts';
export { Item } from './items/item.entity.ts';
export { presentDocument } from './items/item.presenter.ts';
export {
  type AttachedDocument,
  documentsWhen,
  findDisciplineHead,
  inPreparation,
  kindOrder,
  openInTrial,
  outlineLimit,
  shownTitle,
  shownToLearners,
} from './items/item.repository.ts';
export { countedItems } from './items/item-types.ts';
export { disciplineWord, indexItem, indexItems } from './items/item-words.ts';
export { publishAllDue, publishDue } from './items/publication/publish.service.ts';
export { diagnosticCandidates, diagnosticCount, diagnosticJoin, orderOfCandidates } from './items/questions/diagnostic.repository.ts';
export { Question } from './items/questions/question.entity.ts';
export { storeQuestions } from './items/questions/question.repository.ts';
export type { ReadsLimit } from './items/reads-limit.ts';
export { closeTextWorkers } from './texts/client/text-worker.ts';

/** Loads the module that reads and loads content folders. Only one command needs it, and its parsers are larger than the rest of the server. */
export const contentFolders = () => import('./seed/index.ts');

/** Loads the module that renders stored formulas again. Only one command needs it. */
export const formulaDrawing = () => import('./drawing/index.ts');

declare module 'fastify' {
  interface FastifyInstance {
    /** Finds the key that signs the addresses of pictures in texts. */
    pictureSigner: FindSigner;
    /** Bounds how many different items a learner opens, over all modules. */
    readsLimit: ReadsLimit;
    /** Functions that run after the response to a request that saved an item. Later modules add functions. */
    afterItemSave: ((item: ItemRow) => Promise<void>)[];
  }
}

/** Wait between two passes over the drafts that are due, in ms. */
const publishEveryMs = 60_000;

/** Publishes planned drafts in this server, from its start to its shutdown. */
function publishInServer(app: FastifyInstance, kernel: PaymentKernel): void {
  const closing = new AbortController();
  let loop: Promise<void> | undefined;
  app.addHook('onReady', async () => {
    loop = publishMeanwhile(kernel.fork, kernel.context, {
      everyMs: publishEveryMs,
      signal: closing.signal,
      afterEach: async ({ item }) => {
        for (const listener of app.afterItemSave) await listener(item);
      },
    });
  });
  app.addHook('onClose', async () => {
    closing.abort();
    await loop;
  });
}

/** Lessons, exercises and past exams: their texts, pictures and documents, and the screen where administrators write them. */
const plugin = fp<{ kernel: PaymentKernel }>(
  async (app, { kernel }) => {
    const reads = new ReadsLimit(kernel.config.limits.itemReadsPerLearner);
    const signer = pictureSigner();
    app.decorate('readsLimit', reads);
    app.decorate('pictureSigner', signer);
    app.decorate('afterItemSave', []);
    await registerCalls(app, itemRoutes, { reads });
    await app.register(pictureRoutes, { store: kernel.context.files, signer });
    await registerCalls(app, itemAdministrationRoutes, {});
    await registerCalls(app, authoringRoutes, {});
    await registerCalls(app, draftRoutes, {});
    await registerCalls(app, presenceRoutes, {});
    await registerCalls(app, moveRoutes, {});
    await registerCalls(app, replaceRoutes, {});
    await registerCalls(app, documentRoutes, { store: kernel.context.documents, reads });
    await app.register(contentAdministrationPages);
    await app.register(previewPages);
    await app.register(questionExportPages, { store: kernel.context.files });
    // onClose hooks run in reverse order: the loop ends before the workers that it uses.
    app.addHook('onClose', closeTextWorkers);
    // One process per machine is enough.
    if (kernel.config.publishDrafts && place() === 0) publishInServer(app, kernel);
  },
  { name: 'content', dependencies: ['identity', 'catalogue', 'enrolment'] },
);

export const content = {
  plugin,
  entities: [
    Item,
    ItemVersion,
    Question,
    DiagnosticQuestion,
    ContentImage,
    ItemImage,
    ItemDraft,
    ItemDraftImage,
    ItemPresence,
    ItemDocument,
  ],
  storedFiles: [storedImages, storedDocuments],
  prunings: contentPrunings,
  subscribe,
};
