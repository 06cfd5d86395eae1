import { createHash } from 'node:crypto';
import { AppError } from '../../../platform/errors.ts';
import { openImage } from '../../../platform/files/image-source.ts';
import { ImageError, isReadableImage } from '../../../platform/files/images.ts';
import { type ItemKind, kindDetails } from '../../../shared/item-kinds.ts';
import { type MarkingRule, ordinaryRule, parseRule, ruleFault, writeRule } from '../../../shared/questions/marking-rule.ts';
import { documentFromJson } from '../../../shared/rich-text/document.ts';
import { isEmpty } from '../../../shared/rich-text/emptiness.ts';
import { questionRemarks } from '../items/questions/question-remarks.ts';
import type { Report } from '../texts/markdown/source-lines.ts';
import type { Marking } from '../texts/question-files/file-questions.ts';
import { allowedTitle } from '../texts/title.ts';
import { importDocument, isArchive } from '../texts/worker/import-document.ts';
import { PLACEHOLDER_FOLDER, withFilePlaceholders } from './image-placeholders.ts';
import type { ItemPlan } from './plan.ts';

/** What files with these extensions hold. */
export const questionFiles = {
  xml: 'le fichier doit être un export Moodle XML',
  gift: 'le fichier doit être au format GIFT',
  txt: 'le fichier doit être au format AMC-TXT, Aiken ou GIFT',
};

/** Largest width of a stored image, in pixels. */
const storedWidth = 1200;

type ImportedItem = Pick<ItemPlan, 'titre' | 'intitule' | 'annee' | 'bareme' | 'contenu' | 'corrige' | 'embedded'>;

/**
 * Reads an item from a Word or OpenDocument text or a question file. Parts that could not be kept are warnings, since their authors cannot write
 * them differently.
 * Returns null, with the fault reported, when the file is not a valid item.
 * @param key the file's name without number and extension; supplies the title and the year that the document lacks
 */
export async function readImportedItem(
  bytes: Buffer,
  {
    key,
    kind,
    format,
    currentYear,
  }: { key: string; kind: ItemKind; format: 'docx' | 'odt' | keyof typeof questionFiles; currentYear: number },
  report: Report,
  warn: Report,
): Promise<ImportedItem | null> {
  if (isOffice(format) && !isArchive(bytes)) {
    report(1, format === 'docx' ? 'Ce document Word est illisible.' : 'Ce document est illisible.');
    return null;
  }
  const embedded = new Map<string, Buffer>();
  const keep = async (picture: Buffer) => {
    const name = createHash('sha256').update(picture).digest('hex').slice(0, 32);
    const size = await storedSize(picture);
    embedded.set(name, picture);
    return { src: PLACEHOLDER_FOLDER + name, ...size };
  };
  try {
    const read = await importDocument(bytes, keep, {
      hasTitle: true,
      hasCorrection: kindDetails[kind].hasCorrection === true,
      hasQuestions: true,
    });
    const contenu = documentFromJson(read.contenu);
    for (const remark of [...read.remarques, ...questionRemarks(contenu)]) warn(1, remark);
    const isKnown = isOffice(format) || read.questions.length > 0;
    if (!isOffice(format) && !isKnown) report(1, `Aucune question reconnue : ${questionFiles[format]}`);
    const titre = read.titre ?? allowedTitle(key.replaceAll('-', ' ').replace(/^./, (first) => first.toUpperCase()));
    const annee = kindDetails[kind].hasAnnee ? yearIn(`${titre} ${key}`, currentYear) : undefined;
    if (titre === null) report(1, 'Le titre manque : donnez au fichier un nom de 3 lettres au moins');
    if (annee === null) report(1, `L'année manque : mettez-la dans le titre du document ou dans le nom du fichier (1900 à ${currentYear})`);
    if (isKnown && isEmpty(contenu)) report(1, 'Le texte est vide');
    if (titre === null || annee === null || !isKnown || isEmpty(contenu)) return null;
    return {
      titre,
      intitule: read.intitule,
      ...(annee !== undefined && { annee }),
      ...(kindDetails[kind].hasBareme && { bareme: ruleOf(read.marking) }),
      contenu: withFilePlaceholders(read.contenu),
      ...(read.corrige && { corrige: withFilePlaceholders(read.corrige) }),
      embedded,
    };
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    report(1, error.message);
    return null;
  }
}

const isOffice = (format: string): format is 'docx' | 'odt' => format === 'docx' || format === 'odt';

/** Returns the marking rule that a file gives, with two decimals; the ordinary rule without a valid one. */
export function ruleOf(marking: Marking | null): MarkingRule {
  if (!marking) return ordinaryRule;
  const typed = writeRule({ juste: marking.right, faux: marking.wrong, sans: marking.unanswered });
  return ruleFault(typed) === null ? (parseRule(typed) ?? ordinaryRule) : ordinaryRule;
}

/** Returns the size that the picture will have once stored, in pixels. @throws ImageError */
async function storedSize(picture: Buffer): Promise<{ width: number; height: number }> {
  if (!(await isReadableImage(picture))) throw new ImageError("L'image est illisible.");
  const { width, height, pageHeight, autoOrient } = await openImage(picture).metadata();
  const [shown, high] = pageHeight ? [width, pageHeight] : [autoOrient.width, autoOrient.height || height];
  const scale = Math.min(1, storedWidth / shown);
  return { width: Math.round(shown * scale), height: Math.max(1, Math.round(high * scale)) };
}

/** Returns the last number in the text that can be a year; null when there is none. */
export function yearIn(text: string, currentYear: number): number | null {
  const years = [...text.matchAll(/(?<!\d)(?:19|20)\d{2}(?!\d)/g)].map(([digits]) => Number(digits)).filter((year) => year <= currentYear);
  return years.at(-1) ?? null;
}
