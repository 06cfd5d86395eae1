import { maxDocumentBytes } from '../../../src/shared/forms/item-rules.ts';
import { isTexName, texBundle, texDocuments } from '../../../src/shared/tex-bundle.ts';
import type { PlacedFile } from './gather-pages.ts';
import { reducedUnderName } from './reduce-under-name.ts';

/** Returns files to import: each TeX document with the pictures and texts that it names as one file, which are not imported by themselves. Photographs are reduced if the files are too large together. */
export async function joinTexFiles(files: readonly PlacedFile[]): Promise<PlacedFile[]> {
  if (!files.some(({ file }) => isTexName(file.name))) return [...files];
  const isLarge = files.reduce((sum, { file }) => sum + file.size, 0) > maxDocumentBytes;
  const light: PlacedFile[] = [];
  for (const { path, file } of files) light.push({ path, file: isLarge ? await reducedUnderName(file) : file });
  const beside = light.map(({ path, file }) => ({
    path,
    file,
    name: file.name,
    size: file.size,
    bytes: async () => new Uint8Array(await file.arrayBuffer()),
  }));
  const documents = await texDocuments(beside);
  const parts = new Set(documents.flatMap((document) => document.parts));
  const joined = new Map(await Promise.all(documents.map(async (document) => [document.main, await texBundle(document)] as const)));
  return beside
    .filter((one) => joined.has(one) || !parts.has(one))
    .map((one) => {
      const bundle = joined.get(one);
      return { path: one.path, file: bundle ? new File([bundle], one.name) : one.file };
    });
}
