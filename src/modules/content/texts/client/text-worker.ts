import { AppError } from '../../../../platform/errors.ts';
import { ImageError, type StoredImage } from '../../../../platform/files/images.ts';
import { WorkError } from '../../../../platform/work/turns.ts';
import { type TaskLimits, WorkerPool } from '../../../../platform/work/worker-pool.ts';
import type { ImportedDocument } from '../worker/import-document.ts';
import type { FileToImport, FileToWrite, PictureAnswer, Task, Tasks } from '../worker/tasks.ts';

/**
 * Limits of each task, in ms. An ordinary text, formula or file needs a hundredth of them. The time of a file includes storing its
 * pictures.
 */
const limits = {
  text: { waitMs: 30_000, workMs: 15_000 },
  formula: { waitMs: 10_000, workMs: 5_000 },
  file: { waitMs: 60_000, workMs: 45_000 },
} satisfies Record<string, TaskLimits>;

// From source, the worker file is run directly. The bundle of the commands, in dist/cli, uses the one in dist/server.
const file = new URL(import.meta.url.endsWith('.ts') ? '../worker/main.ts' : '../server/text-worker.js', import.meta.url);
const texts = new WorkerPool({ file, memoryMb: 512, queue: 40 });
// A separate pool, so that saves never wait for files. It has one worker and ends it early, to save memory; queued files are in
// memory too.
const files = new WorkerPool({ file, memoryMb: 512, queue: 5, workers: 1, idleMs: 30_000 });

/** Ends the workers. The next task starts a new one. */
export const closeTextWorkers = async (): Promise<void> => {
  await Promise.all([texts.close(), files.close()]);
};

type Result<Name extends keyof Tasks> = Awaited<ReturnType<Tasks[Name]>>;

const ask = <Name extends keyof Tasks>(task: Task<Name>, taskLimits: TaskLimits): Promise<Result<Name>> =>
  refusing(texts.run<Result<Name>>(task, taskLimits));

/** Reads texts, given as HTML or editor documents, in a worker process. @throws AppError 400 or 503 */
export const readTexts = (input: Task<'readTexts'>['input']) => ask({ name: 'readTexts', input }, limits.text);

/** Returns the canonical HTML of documents. @throws AppError 400 or 503 */
export const writeTexts = (input: Task<'writeTexts'>['input']) => ask({ name: 'writeTexts', input }, limits.text);

/** Finds a query in stored texts. @throws AppError 400 or 503 */
export const findInTexts = (input: Task<'findInTexts'>['input']) => ask({ name: 'findInTexts', input }, limits.text);

/** Replaces a query in the texts of one item. @throws AppError 400 or 503 */
export const replaceInTexts = (input: Task<'replaceInTexts'>['input']) => ask({ name: 'replaceInTexts', input }, limits.text);

/** Returns MathML, or the fault of the LaTeX. @throws AppError 400 or 503 */
export const drawFormula = (input: Task<'drawFormula'>['input']) => ask({ name: 'drawFormula', input }, limits.formula);

/** Returns a Moodle XML or GIFT file with the questions of some texts. @throws AppError 400 or 503 */
export const writeQuestionFile = async (input: FileToWrite): Promise<string> =>
  (await ask({ name: 'writeQuestions', input }, limits.text)).file;

/**
 * Reads a .docx, TeX or Markdown file in a worker process (see importDocument).
 * @param store stores a picture; runs in this process, not in the worker
 * @throws AppError, and every error of `store`
 */
export async function importFile(input: FileToImport, store: (bytes: Buffer) => Promise<StoredImage>): Promise<ImportedDocument> {
  const task: Task<'importFile'> = { name: 'importFile', input };
  let unstored: unknown;
  const storePicture = async (picture: unknown): Promise<PictureAnswer> => {
    try {
      return { stored: await store(Buffer.from(picture as Uint8Array)) };
    } catch (error) {
      if (error instanceof ImageError) return { refused: error.message };
      unstored = error;
      throw error;
    }
  };
  // An error of `store` does not pass through the worker; `unstored` holds it and is thrown to the caller.
  const result = await refusing(files.run<Result<'importFile'>>(task, limits.file, storePicture), aboutFiles).catch((error: unknown) => {
    throw unstored ?? error;
  });
  if ('imported' in result) return result.imported;
  throw new AppError(result.refusal.code, result.refusal.status, result.refusal.message);
}

const aboutTexts = {
  busy: 'Trop de textes sont en cours de traitement. Réessayez dans un instant.',
  waited: "Le serveur est occupé : votre texte n'a pas encore été traité. Réessayez dans un instant.",
  tooComplex: 'Ce texte est trop long ou trop compliqué. Coupez-le en plusieurs textes.',
};
const aboutFiles: typeof aboutTexts = {
  busy: "Trop de documents sont en cours d'importation. Réessayez dans un instant.",
  waited: "Le serveur est occupé par d'autres documents : le vôtre n'a pas encore été lu. Réessayez dans un instant.",
  tooComplex: 'Ce document est trop long ou trop compliqué. Coupez-le en plusieurs documents.',
};

async function refusing<Answer>(work: Promise<Answer>, about = aboutTexts): Promise<Answer> {
  try {
    return await work;
  } catch (error) {
    throw error instanceof WorkError ? refusalOf(error, about) : error;
  }
}

/** Returns the error for the caller: 503 for a task that was not started, 400 for a task that failed because of its text. */
export function refusalOf(error: WorkError, about = aboutTexts): AppError {
  const { reason } = error;
  if (reason === 'busy' || reason === 'waited') return new AppError('TEXT.BUSY', 503, about[reason], { retryAfter: 5 });
  return new AppError('TEXT.TOO_COMPLEX', 400, about.tooComplex, { cause: error });
}
