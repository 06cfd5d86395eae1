import { lockNames } from '../../../platform/database/advisory-lock.ts';
import { pruneFiles } from '../../../platform/pruning/file-prunings.ts';
import type { Pruning } from '../../../platform/pruning/pruning.ts';
import { unshownCovers } from './covers.ts';

const pattern = /^(covers\/[0-9a-f]{32})-(?:\d+\.webp|og\.jpg)$/;
/** Returns the base name stored in rows for a cover's file. */
const baseOf = (file: string): string => file.replace(pattern, '$1');

const ofUnshown = (files: readonly string[], bases: readonly string[]): string[] => files.filter((file) => bases.includes(baseOf(file)));

/** Removes files of covers that no prepa and no discipline shows. */
export const coverPrunings: readonly Pruning[] = [
  pruneFiles('cover_files', "fichiers de couvertures que rien n'affiche", {
    store: ({ context }) => context.files,
    folder: 'covers',
    pattern,
    unnamed: async (em, files) => ofUnshown(files, await unshownCovers(em, [...new Set(files.map(baseOf))])),
    async remove(tx, { context }, files) {
      const bases = [...new Set(files.map(baseOf))];
      await lockNames(tx, bases);
      const gone = ofUnshown(files, await unshownCovers(tx, bases));
      await context.files.remove(gone);
      return gone.length;
    },
  }),
];
