import { pruneFiles } from '../../../platform/pruning/file-prunings.ts';
import type { Pruning } from '../../../platform/pruning/pruning.ts';
import { removeUnnamedDocuments, unnamedDocuments } from '../items/documents/document.service.ts';
import {
  countUnusedImages,
  imageBatch,
  removeSomeUnusedImages,
  removeUnnamedImages,
  unnamedImages,
} from '../items/images/image.service.ts';
import { versionPruning } from './version.pruning.ts';

const imagePruning: Pruning = {
  name: 'images',
  label: 'images de textes que rien ne montre',
  count: ({ em, now }) => countUnusedImages(em, now),
  async *remove({ batch, context, now }) {
    let removed = imageBatch;
    while (removed === imageBatch) {
      removed = await batch((tx) => removeSomeUnusedImages(tx, context, now));
      yield removed;
    }
  },
};

/** Images are pruned before versions: images used only by a version removed today are counted and removed in the next run. */
export const contentPrunings: readonly Pruning[] = [
  imagePruning,
  versionPruning,
  pruneFiles('image_files', "fichiers d'images sans ligne", {
    store: ({ context }) => context.files,
    folder: 'content',
    pattern: /^content\/[0-9a-f]{32}\.webp$/,
    unnamed: unnamedImages,
    remove: (tx, { context }, names) => removeUnnamedImages(tx, context, names),
  }),
  pruneFiles('document_files', 'fichiers de documents sans ligne', {
    store: ({ context }) => context.documents,
    folder: '',
    pattern: /^[0-9a-f]{64}\.pdf$/,
    unnamed: unnamedDocuments,
    remove: (tx, { context }, names) => removeUnnamedDocuments(tx, context, names),
  }),
];
