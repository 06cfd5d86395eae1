import type { ImageIntake } from '../image-intake.ts';
import type { TexContext } from './context.ts';
import type { Cursor } from './cursor.ts';
import type { CommandNode } from './nodes.ts';
import type { TexReader } from './reader.ts';
import { quoted } from './report.ts';

const EXTENSIONS = ['.png', '.jpg', '.jpeg', '.gif', '.webp', '.svg', '.bmp', '.tif', '.tiff', '.emf', '.wmf'];
const UNREADABLE = ['.pdf', '.eps', '.ps'];
/** Width of a text in CSS pixels, and CSS pixels of lengths. */
const textWidth = 640;
const PIXELS: Readonly<Record<string, number>> = { cm: 37.8, mm: 3.78, in: 96, pt: 1.33, px: 1, em: 16, ex: 8 };

/** Places a picture from the files beside the text. One that is not there is reported. */
export function includeGraphics(reader: TexReader, cursor: Cursor, node: CommandNode): void {
  cursor.takeStar();
  const options = cursor.rawOption() ?? '';
  cursor.option();
  const named = cursor.rawGroup().trim();
  const { files, report, pictures } = reader.context;
  const path = files.find(named, EXTENSIONS);
  if (path === null || UNREADABLE.some((extension) => path.toLowerCase().endsWith(extension))) {
    const other = path ?? files.find(named, UNREADABLE);
    report.say(
      reader.lineOf(node),
      other
        ? `Image à ajouter au format PNG ou JPG : ${quoted(other)}`
        : `Image à ajouter, elle n'est pas à côté du fichier : ${quoted(named)}`,
    );
    return;
  }
  const image = reader.document.createElement('img');
  image.setAttribute('alt', '');
  pictures.set(image, { path, ...sizeOf(options) });
  reader.inline(image);
}

function sizeOf(options: string): { width: number | null; scale: number } {
  const [, count, unit] = /width\s*=\s*([\d.]*)\s*(\\(?:textwidth|linewidth|columnwidth|hsize)|[a-z]{2})/.exec(options) ?? [];
  const number = count === '' ? 1 : Number(count);
  const width = unit === undefined ? null : number * (unit.startsWith('\\') ? textWidth : (PIXELS[unit] ?? 0));
  const scale = Number(/scale\s*=\s*([\d.]+)/.exec(options)?.[1] ?? 1);
  return { width: width && width >= 1 && width < 10_000 ? Math.round(width) : null, scale: scale > 0 && scale <= 1 ? scale : 1 };
}

/** Stores the pictures of a text. Those that are refused are left out; the intake reports them. */
export async function storePictures(root: Element, { pictures, files }: TexContext, intake: ImageIntake): Promise<void> {
  for (const image of [...root.getElementsByTagName('img')]) {
    const { path, width, scale } = pictures.get(image) ?? { path: '', width: null, scale: 1 };
    const stored = await intake.keep(path, () => files.bytes(path) ?? Buffer.alloc(0));
    if (!stored) {
      leaveOut(image);
      continue;
    }
    // The picture gets the width that the document gives it, but is not enlarged.
    const wanted = width ?? (stored.shownWidth ?? stored.width) * scale;
    const factor = Math.min(1, wanted / stored.width);
    image.setAttribute('src', stored.src);
    image.setAttribute('width', String(Math.max(1, Math.round(stored.width * factor))));
    image.setAttribute('height', String(Math.max(1, Math.round(stored.height * factor))));
  }
}

/** Removes a picture and keeps its caption. */
function leaveOut(image: Element): void {
  const figure = image.closest('figure');
  const caption = figure?.querySelector('figcaption');
  if (!figure || !caption || caption.childNodes.length === 0) {
    (figure ?? image).remove();
    return;
  }
  const paragraph = image.ownerDocument.createElement('p');
  paragraph.append(...caption.childNodes);
  figure.replaceWith(paragraph);
}
