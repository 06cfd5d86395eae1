import { splitCorrection } from '../correction.ts';
import { FormulaError, renderFormula } from '../formulas/mathml.ts';
import { ImageIntake, type StoreImage } from '../image-intake.ts';
import { asDocument, type ImportedText, type OwnPlaces } from '../imported-text.ts';
import { takeOnlyHeading } from '../only-heading.ts';
import { counted, type Remarks } from '../remarks.ts';
import { adaptedTitles, allowedTitle } from '../title.ts';
import { buildBlocks } from './blocks.ts';
import { numberNotes, placeNotes } from './notes.ts';
import type { PictureSource, TextFacts } from './reading.ts';

/** Returns the bytes of a picture by the name of its part; null when it does not exist. @throws AppError 400 */
type Media = (part: string) => Buffer | null;

/** A document of a word processor whose paragraphs and tables have been read. */
export interface ReadText {
  /** Its paragraphs and tables as HTML. */
  readonly root: Element;
  /** Further facts about these elements. */
  readonly reading: TextFacts;
  readonly media: Media;
  /** The title in the file's properties. */
  readonly coreTitle: string | null;
}

/**
 * Converts a document that has been read into texts of the schema: checks its formulas, stores its pictures, builds blocks, takes out the
 * title, splits off the correction and places the notes.
 * @throws AppError 400 when it is too large
 */
export async function finishText(read: ReadText, store: StoreImage, remarks: Remarks, places: OwnPlaces): Promise<ImportedText> {
  const { root, reading, media, coreTitle } = read;
  const notes = numberNotes(root, reading);
  const texts = [root, ...new Set(notes.map(({ content }) => content))];
  for (const text of texts) checkEquations(text, reading);
  const intake = new ImageIntake(store, remarks);
  for (const text of texts) await placePictures(text, reading, media, intake);
  for (const text of texts) buildBlocks(text, reading.paragraphs);
  const title = places.hasTitle ? (takeTitle(root) ?? takeOnlyHeading(root, remarks) ?? coreTitle) : null;
  const correction = places.hasCorrection ? splitCorrection(root, remarks) : null;
  placeNotes(notes, correction ? [root, correction] : [root]);
  return { ...adaptedTitles(title, remarks), contenu: asDocument(root), corrige: correction && asDocument(correction) };
}

/** Replaces each formula that cannot be rendered by its plain text or its picture. */
function checkEquations(text: Element, { equations, remarks }: TextFacts): void {
  for (const formula of [...text.querySelectorAll('[data-latex]')]) {
    try {
      renderFormula(formula.getAttribute('data-latex') ?? '', formula.localName === 'div');
    } catch (error) {
      if (!(error instanceof FormulaError)) throw error;
      const { characters = '', picture = null } = equations.get(formula) ?? {};
      if (picture) {
        formula.replaceWith(...picture());
        continue;
      }
      remarks.count(
        'equations',
        (n) => `${counted(n, 'équation')} que le site ne sait pas montrer : son texte est repris, à retaper (${characters.slice(0, 60)}).`,
      );
      formula.replaceWith(characters);
    }
  }
}

async function placePictures(text: Element, { pictures }: TextFacts, media: Media, intake: ImageIntake): Promise<void> {
  for (const image of [...text.getElementsByTagName('img')]) {
    const source = pictures.get(image);
    if (source && !(await placePicture(image, source, media, intake))) image.remove();
  }
}

async function placePicture(image: Element, { part, width }: PictureSource, media: Media, intake: ImageIntake): Promise<boolean> {
  const stored = await intake.keep(part, () => media(part) ?? Buffer.alloc(0));
  if (!stored) return false;
  image.setAttribute('src', stored.src);
  // The picture gets the width that the document gives it, but is not enlarged.
  const scale = Math.min(1, (width ?? stored.shownWidth ?? stored.width) / stored.width);
  image.setAttribute('width', String(Math.max(1, Math.round(stored.width * scale))));
  image.setAttribute('height', String(Math.max(1, Math.round(stored.height * scale))));
  return true;
}

/** Takes the first title of the document out of the text and returns it. Further titles become headings. */
function takeTitle(root: Element): string | null {
  const title = root.querySelector(':scope > h1[data-role="title"]');
  if (!title) return null;
  const text = (title.textContent ?? '').replaceAll(/\s+/g, ' ').trim();
  if (!title.querySelector('img, [data-latex]') && allowedTitle(text) !== null) title.remove();
  return text;
}
