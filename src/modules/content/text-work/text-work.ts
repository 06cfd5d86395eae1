import { AppError } from '../../../platform/errors.ts';
import { ImageError, type StoredImage } from '../../../platform/images.ts';
import { WorkError, WorkerPool } from '../../../platform/worker-pool.ts';
import type { OwnPlaces } from '../import/docx/import-docx.ts';
import type { ImportedDocument } from '../import/import-document.ts';
import type {
  FormulaResult,
  FormulaTask,
  ImportResult,
  ImportTask,
  PictureAnswer,
  ReadResult,
  ReadTask,
  WriteResult,
  WriteTask,
} from './tasks.ts';

/** For a text and for a file, in ms: an ordinary one takes a hundredth of it. */
const limits = { text: 15_000, import: 45_000, formula: 5_000 };

// The sources run as they are; the bundle has the worker beside it (vite.config.ts).
const file = new URL(import.meta.url.endsWith('.ts') ? './worker.ts' : './text-worker.js', import.meta.url);
const pool = new WorkerPool({ file, memoryMb: 512, queue: 40 });

/** Ends the workers; the next task starts another. */
export const closeTextWork = (): Promise<void> => pool.close();

/** What texts say, HTML or editor's documents, in a process of its own. @throws AppError 400 or 503 */
export const readTexts = (texts: ReadTask['texts']): Promise<ReadResult> =>
  refusing(pool.run<ReadResult>({ kind: 'read', texts } satisfies ReadTask, limits.text));

/** Canonical HTML of documents. @throws AppError 400 or 503 */
export const writeTexts = (documents: WriteTask['documents']): Promise<WriteResult> =>
  refusing(pool.run<WriteResult>({ kind: 'write', documents } satisfies WriteTask, limits.text));

/** MathML, or what is wrong with the LaTeX. @throws AppError 400 or 503 */
export const drawFormula = (latex: string, display: boolean): Promise<FormulaResult> =>
  refusing(pool.run<FormulaResult>({ kind: 'formula', latex, display } satisfies FormulaTask, limits.formula));

interface FileToImport {
  bytes: Buffer;
  name: string;
  places: OwnPlaces;
}

/**
 * Reads a .docx or Markdown file (see importDocument).
 * @param store keeps a picture; called in this process
 * @throws AppError
 */
export async function importFile(
  { bytes, name, places }: FileToImport,
  store: (bytes: Buffer) => Promise<StoredImage>,
): Promise<ImportedDocument> {
  const task = { kind: 'import', bytes, fileName: name, places } satisfies ImportTask;
  const result = await refusing(
    pool.run<ImportResult>(task, limits.import, async (picture): Promise<PictureAnswer> => {
      try {
        return { stored: await store(Buffer.from(picture as Uint8Array)) };
      } catch (error) {
        if (error instanceof ImageError) return { refused: error.message };
        throw error;
      }
    }),
  );
  if ('imported' in result) return result.imported;
  throw new AppError(result.refusal.code, result.refusal.status, result.refusal.message);
}

async function refusing<Result>(work: Promise<Result>): Promise<Result> {
  try {
    return await work;
  } catch (error) {
    if (!(error instanceof WorkError)) throw error;
    if (error.reason === 'busy')
      throw new AppError('TEXT.BUSY', 503, 'Trop de textes sont en cours de traitement. Réessayez dans un instant.', { retryAfter: 5 });
    throw new AppError('TEXT.TOO_COMPLEX', 400, 'Ce texte est trop long ou trop compliqué. Coupez-le en plusieurs textes.', {
      cause: error,
    });
  }
}
