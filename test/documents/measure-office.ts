import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { importDocument } from '../../src/modules/content/texts/worker/import-document.ts';
import type { StoredImage } from '../../src/platform/files/images.ts';
import { documentFromJson } from '../../src/shared/rich-text/document.ts';
import { countDocument } from './count-document.ts';
import { countDocx } from './count-docx.ts';
import { countOdt } from './count-odt.ts';
import type { Counts } from './counts.ts';
import type { Measured } from './losses.ts';

/** Imports a .docx file as the editor does, without storing its pictures, and counts both sides. */
export const measureDocx = (path: string): Promise<Measured> => measure(path, countDocx);
/** Does the same for an .odt file. */
export const measureOdt = (path: string): Promise<Measured> => measure(path, countOdt);

async function measure(path: string, count: (bytes: Uint8Array) => Promise<Counts>): Promise<Measured> {
  const bytes = readFileSync(path);
  let stored = 0;
  const store = async (): Promise<StoredImage> => {
    stored += 1;
    return { src: `/media/image-${stored}.png`, width: 1, height: 1 };
  };
  const { contenu, corrige, remarques } = await importDocument(bytes, store);
  const texts = [contenu, corrige].filter((json) => json !== null).map((json) => countDocument(documentFromJson(json)));
  return { file: basename(path), source: await count(bytes), result: texts.reduce(sum), said: remarques };
}

/** Adds the counts of two texts. */
export function sum(a: Counts, b: Counts): Counts {
  const listItems: Record<number, number> = { ...a.listItems };
  for (const [depth, count] of Object.entries(b.listItems)) listItems[Number(depth)] = (listItems[Number(depth)] ?? 0) + count;
  return {
    headings: a.headings + b.headings,
    listItems,
    cells: a.cells + b.cells,
    images: a.images + b.images,
    links: a.links + b.links,
    emphasis: a.emphasis + b.emphasis,
    equations: a.equations + b.equations,
    text: (a.text ?? 0) + (b.text ?? 0),
  };
}
