import type { Node as DocumentNode } from 'prosemirror-model';
import { MAX_ALT_LENGTH } from '../../../../shared/rich-text/bounds.ts';
import { checkDocument, RichTextError } from '../../../../shared/rich-text/document.ts';
import { documentFromDom } from '../../../../shared/rich-text/parse.ts';
import { splitCorrection } from '../correction.ts';
import { FormulaError, renderFormula } from '../formulas/mathml.ts';
import { ImageIntake, type StoreImage } from '../image-intake.ts';
import { refused } from '../refusal.ts';
import { counted, type Remarks } from '../remarks.ts';
import { allowedTitle } from '../title.ts';
import { buildBlocks } from './blocks.ts';
import { type Converted, convertDocx } from './convert.ts';
import type { EquationFinding, PictureFinding } from './findings.ts';
import { placeNotes, takeNotes } from './notes.ts';

export interface ImportedText {
  /** By the rule for titles; null when the document names none. */
  readonly titre: string | null;
  readonly contenu: DocumentNode;
  readonly corrige: DocumentNode | null;
}

/** What of a document has a place of its own beside the text. What has none stays where it stands: nothing else would keep it. */
export interface OwnPlaces {
  readonly hasTitle: boolean;
  readonly hasCorrection: boolean;
}

/**
 * A Word document as texts of the schema. What cannot be kept is in `remarks`.
 * @param places whether its title is taken out of the text, and whether a heading "Corrigé" starts the correction, or is one like others
 * @throws AppError 400 for what is no Word document, or is too large
 */
export async function importDocx(bytes: Buffer, store: StoreImage, remarks: Remarks, places: OwnPlaces): Promise<ImportedText> {
  const converted = await convertDocx(bytes, remarks);
  const { root, findings, coreTitle } = converted;
  placeEquations(converted, remarks);
  await placePictures(converted, new ImageIntake(store, remarks));
  const notes = takeNotes(root, findings);
  buildBlocks(root, findings);
  const title = places.hasTitle ? takeTitle(root) : null;
  const correction = places.hasCorrection ? splitCorrection(root, remarks) : null;
  placeNotes(notes, correction ? [root, correction] : [root]);
  const titre = allowedTitle(title ?? coreTitle);
  if (title !== null && titre !== title)
    remarks.say(`Le titre « ${title.slice(0, 120)} » a été adapté : ni ponctuation ni apostrophe, 100 caractères au plus.`);
  return { titre, contenu: asDocument(root), corrige: correction && asDocument(correction) };
}

function asDocument(root: Element): DocumentNode {
  const document = documentFromDom(root);
  try {
    checkDocument(document);
    return document;
  } catch (error) {
    throw error instanceof RichTextError ? refused(error.message, error) : error;
  }
}

function placeEquations({ root, findings }: Converted, remarks: Remarks): void {
  for (const mark of [...root.querySelectorAll('a[id^="e-"]')]) {
    const equation = findings.equations[Number(mark.id.slice(2))];
    if (equation) mark.replaceWith(formula(root.ownerDocument, equation, remarks));
  }
}

function formula(document: Document, { latex, isDisplayed, text }: EquationFinding, remarks: Remarks): Node {
  try {
    renderFormula(latex, isDisplayed);
  } catch (error) {
    if (!(error instanceof FormulaError)) throw error;
    remarks.count(
      'equations',
      (n) => `${counted(n, 'équation')} que le site ne sait pas montrer : son texte est repris, à retaper (${text.slice(0, 60)}).`,
    );
    return document.createTextNode(text);
  }
  const element = document.createElement(isDisplayed ? 'div' : 'span');
  element.setAttribute('class', isDisplayed ? 'formula-block' : 'formula');
  element.setAttribute('data-latex', latex);
  return element;
}

async function placePictures({ root, findings, word }: Converted, intake: ImageIntake): Promise<void> {
  for (const mark of [...root.querySelectorAll('a[id^="i-"]')]) {
    const picture = findings.pictures[Number(mark.id.slice(2))];
    const image = picture && (await imageOf(root.ownerDocument, picture, word, intake));
    if (image) mark.replaceWith(image);
    else mark.remove();
  }
}

async function imageOf(document: Document, picture: PictureFinding, word: Converted['word'], intake: ImageIntake): Promise<Element | null> {
  const image = document.createElement('img');
  image.setAttribute('alt', picture.alt.slice(0, MAX_ALT_LENGTH).toWellFormed());
  if (picture.isRemote) {
    image.setAttribute('src', picture.part);
    return image;
  }
  const bytes = word.media(picture.part);
  const stored = await intake.keep(picture.part, bytes ?? Buffer.alloc(0));
  if (!stored) return null;
  image.setAttribute('src', stored.src);
  // As large as the document shows it, never larger than it is.
  const scale = Math.min(1, (picture.width ?? stored.width) / stored.width);
  image.setAttribute('width', String(Math.max(1, Math.round(stored.width * scale))));
  image.setAttribute('height', String(Math.max(1, Math.round(stored.height * scale))));
  return image;
}

/** The first title is that of the whole text, and not part of it; a second one is a heading. */
function takeTitle(root: Element): string | null {
  const title = root.querySelector(':scope > h1[data-role="title"]');
  if (!title) return null;
  const text = (title.textContent ?? '').replaceAll(/\s+/g, ' ').trim();
  if (!title.querySelector('img, [data-latex]') && allowedTitle(text) !== null) title.remove();
  return text;
}
