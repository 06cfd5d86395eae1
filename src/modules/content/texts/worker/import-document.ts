import type { StoredImage } from '../../../../platform/files/images.ts';
import { maxDocumentBytes, maxUnreducedBytes } from '../../../../shared/forms/content.ts';
import { type FoundQuestion, foundQuestions } from '../../../../shared/questions/found-questions.ts';
import { type DocumentJson, documentFromJson } from '../../../../shared/rich-text/document.ts';
import { isEmpty } from '../../../../shared/rich-text/emptiness.ts';
import { isPage } from '../../../../shared/saved-pages/decode-page.ts';
import { unreadFormats } from '../../../../shared/unread-formats.ts';
import { Archive } from '../docx/archive.ts';
import { importDocx } from '../docx/import-docx.ts';
import { type FoundExercise, splitExercises } from '../exercises.ts';
import type { OwnPlaces } from '../imported-text.ts';
import { importMarkdown } from '../markdown/import.ts';
import { importOdt } from '../odt/import-odt.ts';
import { isOpenDocument } from '../odt/package.ts';
import type { Marking } from '../question-files/file-questions.ts';
import { importQuestionFile } from '../question-files/import-question-file.ts';
import { withQuestions } from '../questions/imported-questions.ts';
import { refused } from '../refusal.ts';
import { maxRemarks, Remarks } from '../remarks.ts';
import { importHtml } from '../saved-pages/import-html.ts';
import { importPageArchive, pagesOf } from '../saved-pages/import-page-archive.ts';
import { importTexFile } from '../tex/import-tex-file.ts';

export interface ImportedDocument {
  readonly titre: string | null;
  readonly intitule: string | null;
  readonly contenu: DocumentJson;
  readonly corrige: DocumentJson | null;
  /** The questions in `contenu`, in their order. */
  readonly questions: readonly FoundQuestion[];
  /** The exercises into which the file can be split; empty unless it has several. */
  readonly exercises: readonly FoundExercise[];
  /** Points that the file gives for right, wrong and missing answers; null when it says nothing. */
  readonly marking: Marking | null;
  /** French sentences about content that could not be kept unchanged, as many as a save shows. */
  readonly remarques: string[];
}

/**
 * Reads a .docx, .odt, HTML, TeX, Markdown or question file, recognised by its content, as texts of the schema. Only pictures are stored, through `store`.
 * @param places the parts stored apart from the text: a lesson has no correction, and an item that is already open has its title
 * @param isMarkdown whether a text is Markdown, even if it looks like a question file
 * @param isTex whether the file's name says that it is TeX; one that names its class is recognised without
 * @throws AppError 400 when the file has another format, or is too large or too complicated
 */
export async function importDocument(
  bytes: Buffer,
  store: (bytes: Buffer) => Promise<StoredImage>,
  places: OwnPlaces = { hasTitle: true, hasCorrection: true, hasQuestions: true },
  isMarkdown = false,
  isTex = false,
): Promise<ImportedDocument> {
  // A command may give documents with photographs, which are reduced here. Calls take 10 MB (src/platform/files/uploads.ts).
  const most = isArchive(bytes) ? maxUnreducedBytes : maxDocumentBytes;
  if (bytes.length > most) throw refused(`Le fichier dépasse ${most / 1024 ** 2} Mo.`);
  const remarks = new Remarks();
  const tex = isMarkdown ? null : await importTexFile(bytes, isTex, store, remarks, places);
  const reader = tex || (isMarkdown && !isArchive(bytes)) ? null : readerOf(bytes);
  const read = tex ?? (reader && (await reader(bytes, store, remarks, places)));
  const text = read ? '' : decode(bytes, remarks);
  const file = read || isMarkdown ? null : await importQuestionFile(text, store, remarks, places);
  if (file && !places.hasQuestions) throw refused('Une question se place dans le texte, pas dans le corrigé.');
  const plain = read ?? file ?? (await importMarkdown(text, store, remarks, places));
  const { titre, intitule, contenu, corrige } = file || !places.hasQuestions ? plain : withQuestions(plain, remarks);
  return {
    titre,
    intitule,
    contenu: contenu.toJSON(),
    corrige: corrige?.toJSON() ?? null,
    questions: foundQuestions(contenu),
    exercises: places.hasExercises ? splitExercises(contenu, corrige) : [],
    marking: file?.marking ?? null,
    remarques: remarks.list(maxRemarks),
  };
}

/**
 * Refuses a file that holds nothing, or nothing but a title.
 * @throws AppError 400, with the remarks in its message: they tell what was left out
 */
export function refuseEmpty({ titre, contenu, corrige, remarques }: ImportedDocument): void {
  if ([contenu, corrige].some((text) => text && !isEmpty(documentFromJson(text)))) return;
  const fault = titre === null ? "Ce document n'a aucun texte." : "Ce document n'a aucun texte sous son titre.";
  throw refused([fault, ...remarques].join(' '));
}

type Reader = typeof importDocx;

/** Returns the reader of a file that its content tells; null for a text. @throws AppError 400 when it is an archive of something else */
function readerOf(bytes: Buffer): Reader | null {
  if (!isArchive(bytes)) return isPage(bytes) ? importHtml : null;
  const archive = new Archive(bytes, { maxEntries: 20_000 });
  if (archive.has('[Content_Types].xml') || archive.has('word/document.xml')) return importDocx;
  if (isOpenDocument(archive)) return importOdt;
  if (pagesOf(archive).length > 0) return (_, ...rest) => importPageArchive(archive, ...rest);
  throw refused('Cette archive ne contient ni document Word, ni texte OpenDocument (.odt), ni page HTML.');
}

/** Returns whether a file is a ZIP archive, as documents of word processors are. */
export const isArchive = (bytes: Buffer): boolean => bytes.length > 4 && bytes.readUInt32BE(0) === 0x504b0304;

/** First bytes, in hexadecimal, of formats that users mistake for .docx or text, with the message for each. */
const OTHERS: readonly (readonly [string, string])[] = [
  ['d0cf11e0', unreadFormats.doc],
  ['25504446', unreadFormats.pdf],
  ['fffe', 'Ce texte est en UTF-16 (« Unicode »). Enregistrez-le en UTF-8, puis réessayez.'],
  ['feff', 'Ce texte est en UTF-16 (« Unicode »). Enregistrez-le en UTF-8, puis réessayez.'],
  ['7b5c727466', unreadFormats.rtf],
];

/** Returns the text of a file. @throws AppError 400 when the file is not text */
function decode(bytes: Buffer, remarks: Remarks): string {
  const start = bytes.toString('hex', 0, 8);
  for (const [signature, message] of OTHERS) if (start.startsWith(signature)) throw refused(message);
  if (bytes.includes(0))
    throw refused(
      "Ce fichier n'est ni un document Word (.docx) ou LibreOffice (.odt), ni une page HTML, ni un texte Markdown (.md) ou TeX (.tex).",
    );
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    text = new TextDecoder('windows-1252').decode(bytes);
    remarks.say("Le fichier n'est pas en UTF-8 : vérifiez les lettres accentuées.");
  }
  // biome-ignore lint/suspicious/noControlCharactersInRegex: no document holds them
  return text.replaceAll(/\r\n?|[\u000b\u000c\u2028\u2029]/g, '\n').replaceAll(/[\u0001-\u0008\u000e-\u001f]/g, '');
}
