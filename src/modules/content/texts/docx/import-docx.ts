import { splitCorrection } from '../correction.ts';
import { FormulaError, renderFormula } from '../formulas/mathml.ts';
import { ImageIntake, type StoreImage } from '../image-intake.ts';
import { asDocument, type ImportedText, type OwnPlaces } from '../imported-text.ts';
import { counted, type Remarks } from '../remarks.ts';
import { adaptedTitles, allowedTitle } from '../title.ts';
import { buildBlocks } from './blocks.ts';
import { numberNotes, placeNotes } from './notes.ts';
import type { WordPackage } from './package.ts';
import { readDocx } from './read-docx.ts';
import type { PictureSource, Reading } from './reading.ts';

/**
 * Converts a Word document into texts of the schema. Parts that cannot be kept are added to `remarks`.
 * @param places whether the title is removed from the text, and whether a heading "Corrigé" starts the correction
 * @throws AppError 400 when the bytes are not a Word document, or it is too large
 */
export async function importDocx(bytes: Buffer, store: StoreImage, remarks: Remarks, places: OwnPlaces): Promise<ImportedText> {
  const { root, reading, word, coreTitle } = readDocx(bytes, remarks);
  const notes = numberNotes(root, reading);
  const texts = [root, ...new Set(notes.map(({ content }) => content))];
  for (const text of texts) checkEquations(text, reading);
  const intake = new ImageIntake(store, remarks);
  for (const text of texts) await placePictures(text, reading, word, intake);
  for (const text of texts) buildBlocks(text, reading.paragraphs);
  const title = places.hasTitle ? takeTitle(root) : null;
  const correction = places.hasCorrection ? splitCorrection(root, remarks) : null;
  placeNotes(notes, correction ? [root, correction] : [root]);
  const titles = title === null ? { titre: allowedTitle(coreTitle), intitule: null } : adaptedTitles(title, remarks);
  return { ...titles, contenu: asDocument(root), corrige: correction && asDocument(correction) };
}

/** Replaces each formula that cannot be rendered by its plain text or its picture. */
function checkEquations(text: Element, { equations, remarks }: Reading): void {
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

async function placePictures(text: Element, { pictures }: Reading, word: WordPackage, intake: ImageIntake): Promise<void> {
  for (const image of [...text.getElementsByTagName('img')]) {
    const source = pictures.get(image);
    if (source && !(await placePicture(image, source, word, intake))) image.remove();
  }
}

async function placePicture(image: Element, { part, width }: PictureSource, word: WordPackage, intake: ImageIntake): Promise<boolean> {
  const stored = await intake.keep(part, word.media(part) ?? Buffer.alloc(0));
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
