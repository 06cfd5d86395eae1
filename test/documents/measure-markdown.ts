import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { importDocument } from '../../src/modules/content/texts/worker/import-document.ts';
import type { StoredImage } from '../../src/platform/files/images.ts';
import { documentFromJson } from '../../src/shared/rich-text/document.ts';
import { countDocument } from './count-document.ts';
import { countMarkdown, letters } from './count-markdown.ts';
import type { Measured } from './losses.ts';
import { sum } from './measure-office.ts';

/** Imports a Markdown file as the editor does, without storing its pictures, and counts both sides. */
export async function measureMarkdown(path: string): Promise<Measured> {
  const bytes = readFileSync(path);
  const store = async (): Promise<StoredImage> => ({ src: '/media/image.png', width: 1, height: 1 });
  const { titre, contenu, corrige, remarques } = await importDocument(bytes, store);
  const texts = [contenu, corrige].filter((json) => json !== null).map((json) => documentFromJson(json));
  const words = texts.map((text) => text.textBetween(0, text.content.size, ' ', ' ')).join(' ');
  const result = { ...texts.map(countDocument).reduce(sum), text: letters(`${titre ?? ''} ${words}`) };
  return { file: basename(path), source: countMarkdown(bytes.toString('utf8')), result, said: remarques };
}
