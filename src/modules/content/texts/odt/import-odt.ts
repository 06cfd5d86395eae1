import { parseHTML } from 'linkedom';
import { finishText } from '../docx/finish-text.ts';
import { child, descendants, elementsOf } from '../docx/xml.ts';
import type { StoreImage } from '../image-intake.ts';
import type { ImportedText, OwnPlaces } from '../imported-text.ts';
import type { Remarks } from '../remarks.ts';
import { Frames } from './frames.ts';
import { OdtNumbering } from './numbering.ts';
import { OdtPackage } from './package.ts';
import type { OdtReading } from './reading.ts';
import { OdtStyles } from './styles.ts';
import { OdtTextReader } from './text-reader.ts';

/**
 * Converts an OpenDocument text, as LibreOffice writes it, into texts of the schema. Parts that cannot be kept are added to `remarks`.
 * @param places whether the title is removed from the text, and whether a heading "Corrigé" starts the correction
 * @throws AppError 400 when the bytes are not an OpenDocument text, or it is too large
 */
export async function importOdt(bytes: Buffer, store: StoreImage, remarks: Remarks, places: OwnPlaces): Promise<ImportedText> {
  const file = new OdtPackage(bytes);
  const content = file.xml('content.xml') as Document;
  const common = file.xml('styles.xml');
  const styles = new OdtStyles(content, common);
  const { document }: { document: Document } = parseHTML('<!doctype html><html><body></body></html>');
  const reading: OdtReading = {
    document,
    file,
    styles,
    numbering: new OdtNumbering(styles),
    remarks,
    paragraphs: new Map(),
    pictures: new Map(),
    equations: new Map(),
    references: new Map(),
    unknownSymbols: new Set(),
    places: new Map(),
  };
  const frames = new Frames(reading);
  const root = document.body;
  const text = child(child(content.documentElement, 'office:body'), 'office:text');
  if (text) new OdtTextReader(reading, frames).fill(root, text);
  if (reading.unknownSymbols.size > 0)
    remarks.countOf('caractère', " d'une police de symboles sans équivalent : à retaper dans le texte.", reading.unknownSymbols.size);
  if (hasEdges(common)) remarks.say("L'en-tête et le pied de page ont été laissés de côté.");
  return finishText({ root, reading, media: (part) => frames.media(part), coreTitle: coreTitle(file) }, store, remarks, places);
}

/** Returns whether a page style has text in its header or footer. */
function hasEdges(common: Document | null): boolean {
  const masters = child(common?.documentElement, 'office:master-styles');
  return masters !== undefined && descendants(masters, 'text:p', 'text:h').some((one) => (one.textContent ?? '').trim() !== '');
}

function coreTitle(file: OdtPackage): string | null {
  const meta = child(file.xml('meta.xml')?.documentElement, 'office:meta');
  const title = elementsOf(meta)
    .find(({ localName }) => localName === 'title')
    ?.textContent?.trim();
  return title || null;
}
