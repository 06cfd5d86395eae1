/** Lessons of 200 KB, the size of a book's longest chapter, and of 179 pages. */
import type { Node } from 'prosemirror-model';
import { documentFromJson } from '../../src/shared/rich-text/document.ts';
import { forgivingHtml } from '../../test/support/forgiving-html.ts';
import { sql } from '../../test/support/sql.ts';

interface Size {
  /** Size of the document's text, in bytes. */
  textBytes: number;
  formulas: number;
  images: number;
}

const chapter: Size = { textBytes: 200_000, formulas: 100, images: 30 };
/** A duplicated course of 179 pages: 2,300 characters and three formulas a page. */
export const course: Size = { textBytes: 430_000, formulas: 537, images: 60 };

const sentences = [
  'Une suite est une application définie sur les entiers naturels ; on la donne par une formule ou par récurrence. ',
  'La limite, quand elle existe, est unique : c\'est ce qui permet de parler de "la" limite d\'une suite convergente. ',
  'On encadre la suite par deux autres qui ont la même limite, et le théorème des gendarmes conclut. ',
  'Les élèves du lycée de Yaoundé ont relevé 1 250 mesures entre le 3 mars et le 17 juin. ',
];
const latex = [
  'u_{n+1} = \\frac{u_n + 2}{2 u_n + 1}',
  '\\sum_{k=1}^{n} k^2 = \\frac{n(n+1)(2n+1)}{6}',
  '\\lim_{n \\to +\\infty} \\left(1 + \\frac{x}{n}\\right)^n = e^x',
  '\\int_0^1 \\sqrt{1 - t^2} \\, dt = \\frac{\\pi}{4}',
];

export interface LargeLesson {
  doc: Node;
  html: string;
}

/** @param url a database with the demonstration, whose images the lesson uses */
export async function largeLesson(url: string, { textBytes, formulas, images }: Size = chapter): Promise<LargeLesson> {
  const stored = await sql<{ name: string }>(url, 'select name from content_image order by name');
  if (stored.length === 0) throw new Error('the demonstration has no image to show');
  const paragraphs = writeParagraphs(textBytes);
  const content: object[] = [];
  for (const [index, text] of paragraphs.entries()) {
    if (index % 12 === 0) {
      content.push({ type: 'heading', attrs: { level: 2 }, content: [{ type: 'text', text: `Partie ${index / 12 + 1}` }] });
    }
    const inline: object[] = [{ type: 'text', text }];
    if (dueAt(index, paragraphs.length, formulas)) inline.push({ type: 'formula', attrs: { latex: latex[index % latex.length] } });
    content.push({ type: 'paragraph', content: inline });
    if (dueAt(index, paragraphs.length, images)) {
      const { name } = stored[index % stored.length] as { name: string };
      content.push({ type: 'figure', attrs: { src: `/media/${name}`, alt: 'Figure', width: 640, height: 400 } });
    }
  }
  const doc = documentFromJson({ type: 'doc', content });
  const counts = { formula: 0, figure: 0 };
  doc.descendants(({ type }) => {
    if (type.name in counts) counts[type.name as keyof typeof counts] += 1;
  });
  if (counts.formula !== formulas || counts.figure !== images)
    throw new Error(`not the lesson that was to be measured: ${JSON.stringify(counts)}`);
  return { doc, html: forgivingHtml(doc) };
}

/** Returns paragraphs of about 600 characters, `textBytes` in total. */
function writeParagraphs(textBytes: number): string[] {
  const paragraphs: string[] = [];
  for (let length = 0; length < textBytes; ) {
    let text = `${paragraphs.length + 1}. `;
    while (text.length < 600) text += sentences[(paragraphs.length + text.length) % sentences.length];
    length += Buffer.byteLength(text);
    paragraphs.push(text);
  }
  return paragraphs;
}

/** Returns whether an item is due at this paragraph when `wanted` items are spread evenly over `paragraphs`. */
function dueAt(paragraph: number, paragraphs: number, wanted: number): boolean {
  return Math.floor(((paragraph + 1) * wanted) / paragraphs) > Math.floor((paragraph * wanted) / paragraphs);
}
