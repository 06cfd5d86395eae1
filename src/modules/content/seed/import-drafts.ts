import { extname } from 'node:path';
import type { EntityManager } from '@mikro-orm/postgresql';
import { AppError } from '../../../platform/errors.ts';
import { acceptContentUpload, prepareContentImage } from '../../../platform/files/images.ts';
import type { UseCaseContext } from '../../../platform/use-cases/events.ts';
import { yearOf } from '../../../shared/dates.ts';
import { type ItemKind, kindDetails } from '../../../shared/item-kinds.ts';
import { decodePage } from '../../../shared/saved-pages/decode-page.ts';
import { isTexName } from '../../../shared/tex-bundle.ts';
import { terminal } from '../../identity/index.ts';
import { draftLimit, type ListedDraft, listDraftsOfFiles } from '../items/drafts/draft.repository.ts';
import { keepContentImage } from '../items/images/image.service.ts';
import { findDisciplineHead } from '../items/item.repository.ts';
import { createDraft, saveDraft } from '../items/publication/draft.service.ts';
import { importFile } from '../texts/client/text-worker.ts';
import { textsOfExercise } from '../texts/exercises.ts';
import { refused, unreadableWord } from '../texts/refusal.ts';
import { withPictures } from '../texts/saved-pages/with-pictures.ts';
import { titleOfFile } from '../texts/title.ts';
import { isArchive } from '../texts/worker/import-document.ts';
import { FaultList } from './fault.ts';
import { type FolderEntry, FolderFiles } from './folder-files.ts';
import { questionFiles, ruleOf, yearIn } from './imported-item.ts';
import { TexFolder } from './tex-folder.ts';

/** A file that became a draft, or would in a dry run. */
interface ImportedFile {
  file: string;
  /** Null in a dry run. */
  id: number | null;
  titre: string;
  /** Whether an earlier draft of this file was replaced. */
  replaced: boolean;
  /** Parts that could not be kept, in French. */
  remarques: string[];
}

/** A file that did not become a draft, with the reason in French. */
interface RefusedFile {
  file: string;
  reason: string;
}

interface ImportReport {
  imported: ImportedFile[];
  refused: RefusedFile[];
  /** Names of folders, and of files of types that hold no text. */
  ignored: string[];
}

interface ImportOptions {
  disciplineId: number;
  kind: ItemKind;
  /** Reads and reports, and stores nothing. */
  dryRun: boolean;
  /** Makes a draft of each exercise of a file that has several. */
  split?: boolean;
  /** Returns whether earlier drafts of these files are replaced. Asked once, and only if there are any. */
  mayReplace: (files: readonly string[]) => Promise<boolean>;
  onProgress?: (done: number, total: number, file: string) => void;
}

/** Types that the importer reads, and those of which it says how to save them instead. */
const knownTypes = new Set([
  '.docx',
  '.odt',
  '.html',
  '.htm',
  '.zip',
  '.md',
  '.tex',
  '.ltx',
  '.xml',
  '.gift',
  '.txt',
  '.doc',
  '.pdf',
  '.rtf',
]);
const ignoredTypes = new Set(['.png', '.jpg', '.jpeg', '.gif', '.webp']);
/** Folder of the pictures of a page that a browser has saved. */
const besidePage = /_(?:files|fichiers)$/;
const byName = new Intl.Collator('fr', { numeric: true });

/**
 * Makes a draft of each file of a folder, in the natural order of their names ('2' before '10'). A file that cannot be read stops no
 * other one. Files that have a draft of their own already are refused, unless it may be replaced.
 * @throws AppError when the folder or the discipline does not exist, or has too many files
 */
export async function importDrafts(
  em: EntityManager,
  context: UseCaseContext,
  folder: string,
  { disciplineId, kind, dryRun, split = false, mayReplace, onProgress }: ImportOptions,
): Promise<ImportReport> {
  const opening = new FaultList();
  const files = await FolderFiles.open(folder, opening);
  const entries = files ? await files.list(folder) : [];
  const report: ImportReport = { imported: [], refused: [], ignored: [] };
  const [fault] = files ? [] : opening.sorted();
  if (fault) throw refused(`${folder} : ${fault.message}.`);
  if (!(await findDisciplineHead(em, disciplineId))) throw refused(`La discipline ${disciplineId} n'existe pas.`);
  for (const { file, message } of opening.sorted()) report.refused.push({ file, reason: message });
  const texts: FolderEntry[] = [];
  const tex = files ? await TexFolder.read(entries, files) : null;
  for (const entry of entries.toSorted((one, other) => byName.compare(one.name, other.name))) {
    // Word's lock files, while a document is open.
    if (entry.name.startsWith('~$')) continue;
    if (besidePage.test(entry.name) && entry.kind === 'folder') continue;
    if (entry.kind === 'folder' || ignoredTypes.has(typeOf(entry.name)) || tex?.isPart(entry.name)) report.ignored.push(entry.name);
    else texts.push(entry);
  }
  if (texts.length > draftLimit) throw refused(`Ce dossier a ${texts.length} fichiers, ${draftLimit} au plus sont importés à la fois.`);
  const sources = texts.map(({ name }) => name.normalize('NFC'));
  const parts = split ? sources.flatMap((source) => Array.from({ length: mostParts }, (_, index) => sourceOfPart(source, index))) : [];
  const earlier = new Map(
    (await listDraftsOfFiles(em, { disciplineId, kind, sources: [...sources, ...parts] })).map((draft) => [draft.source, draft]),
  );
  const replaces = earlier.size > 0 && (await mayReplace([...earlier.keys()].filter((source) => source !== null)));
  for (const [index, { name: file, path }] of texts.entries()) {
    onProgress?.(index, texts.length, file);
    const source = file.normalize('NFC');
    const isEarlier = earlier.has(source) || (split && earlier.has(sourceOfPart(source, 0)));
    try {
      if (isEarlier && !replaces) throw refused('Un brouillon vient déjà de ce fichier : --replace le remplace.');
      const bytes = (await tex?.bundle(file)) ?? (await pageWithPictures(files, file, await readBytes(folder, path)));
      report.imported.push(...(await importOne(em.fork(), context, { file, bytes, disciplineId, kind, dryRun, split, earlier })));
    } catch (error) {
      if (!(error instanceof AppError) || error.status >= 500) throw error;
      report.refused.push({ file, reason: [error.message, ...(error.errors ?? []).map(({ message }) => message)].join(' ') });
    }
  }
  onProgress?.(texts.length, texts.length, '');
  return report;
}

interface OneFile {
  file: string;
  bytes: Buffer;
  disciplineId: number;
  kind: ItemKind;
  dryRun: boolean;
  split: boolean;
  /** Drafts of the same files, by their source. */
  earlier: ReadonlyMap<string | null, ListedDraft>;
}

async function importOne(
  em: EntityManager,
  context: UseCaseContext,
  { file, bytes, disciplineId, kind, dryRun, split, earlier }: OneFile,
): Promise<ImportedFile[]> {
  const type = typeOf(file).slice(1);
  if (!knownTypes.has(`.${type}`))
    throw refused('Ce type de fichier ne se lit pas. Enregistrez-le au format .docx, .odt ou .md (.tex est lu aussi), puis réessayez.');
  if (type === 'docx' && !isArchive(bytes)) throw unreadableWord();
  if (/^(?:odt|zip)$/.test(type) && !isArchive(bytes))
    throw refused('Ce fichier est illisible. Enregistrez-le de nouveau, puis réessayez.');
  const { hasAnnee, hasBareme, hasCorrection, text } = kindDetails[kind];
  const store = async (picture: Buffer) => {
    const accepted = await acceptContentUpload(picture);
    return dryRun ? (await prepareContentImage(accepted)).image : keepContentImage(em, context, accepted);
  };
  const places = { hasTitle: true, hasCorrection: hasCorrection === true, hasQuestions: true, hasExercises: split && kind === 'exercise' };
  const read = await importFile({ bytes, places, isTex: isTexName(file) }, store);
  if (type in questionFiles && read.questions.length === 0)
    throw refused(`Aucune question reconnue : ${questionFiles[type as keyof typeof questionFiles]}.`);
  const titre = read.titre ?? titleOfFile(file) ?? '';
  if (read.exercises.length > mostParts) throw refused(`Plus de ${mostParts} exercices : partagez le fichier.`);
  const parts =
    read.exercises.length > 0
      ? read.exercises.map((exercise, index) => ({
          titre: exercise.titre,
          intitule: exercise.intitule ?? '',
          source: sourceOfPart(file.normalize('NFC'), index),
          // The remarks of the file go to its first exercise.
          remarques: index === 0 ? read.remarques : [],
          ...textsOfExercise(exercise, read.contenu, read.corrige),
        }))
      : [
          {
            titre,
            intitule: read.intitule ?? '',
            source: file.normalize('NFC'),
            remarques: read.remarques,
            contenu: read.contenu,
            corrige: read.corrige,
          },
        ];
  const made: ImportedFile[] = [];
  for (const { titre, intitule, source, remarques: remarks, contenu, corrige } of parts) {
    const replaced = earlier.get(source) ?? null;
    const found = { file: source, titre, replaced: replaced !== null };
    if (dryRun) {
      made.push({ ...found, id: null, remarques: remarks });
      continue;
    }
    const body = {
      titre,
      intitule,
      // What the file does not say stays as it was typed in the draft that is replaced.
      duree: replaced?.duree,
      ...(hasAnnee && { annee: yearIn(`${titre} ${file}`, yearOf(context.clock.now())) ?? replaced?.annee }),
      ...(hasBareme && { bareme: read.marking ? ruleOf(read.marking) : replaced?.bareme }),
      [text]: contenu,
      ...(hasCorrection && { corrige: corrige ?? '' }),
      remarques: remarks,
    };
    const { draft, remarques } = replaced
      ? await saveDraft(em, context, terminal, { id: replaced.id, body: { ...body, revision: replaced.revision } })
      : await createDraft(em, context, terminal, { kind, body: { ...body, discipline_id: disciplineId, source } });
    made.push({ ...found, id: draft.id, remarques: [...new Set([...remarks, ...remarques])] });
  }
  return made;
}

/** Maximum number of exercises into which one file is split. */
const mostParts = 40;

/** Returns the source of a draft that was made from one exercise of a file. The administration screen names it in the same way. */
const sourceOfPart = (source: string, index: number): string => `${source} · ${index + 1}`;

/** Returns the bytes of a file. @throws AppError when it has another type, is too large or cannot be read */
async function readBytes(folder: string, path: string): Promise<Buffer> {
  const faults = new FaultList();
  const files = await FolderFiles.open(folder, faults);
  const bytes = (await files?.readDocument(path)) ?? null;
  if (bytes) return bytes;
  throw refused(`${faults.sorted().map(({ message }) => message)}.`);
}

/** Returns a page with the pictures beside it in it; other files as they are. */
async function pageWithPictures(files: FolderFiles | null, name: string, bytes: Buffer): Promise<Buffer> {
  if (!/\.html?$/i.test(name)) return bytes;
  const { text, isGuess } = decodePage(bytes);
  const whole = await withPictures(text, name, async (path) => (await files?.readPicture(path)) ?? null);
  // The mark says that the text is UTF-8 now. A page whose encoding was guessed stays as it was, so that its report says so.
  return whole === text || isGuess ? bytes : Buffer.from(`\uFEFF${whole}`);
}

const typeOf = (name: string): string => extname(name).toLowerCase();
