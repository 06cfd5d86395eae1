import type { Readable } from 'node:stream';
import multipart, { type Multipart, type MultipartFile } from '@fastify/multipart';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { maxImageBytes } from '../../shared/forms/catalogue.ts';
import { maxDocumentBytes } from '../../shared/forms/content.ts';
import { AppError, invalidRequest } from '../errors.ts';
import { tooHeavy } from './image-source.ts';

/** A received form: its text fields, and the bytes of the image, if one was chosen. */
export interface Upload {
  fields: Record<string, string>;
  image: Buffer | null;
}

/** A received file: its bytes, and the name that the sender gives, which is not reliable. */
export interface UploadedFile {
  bytes: Buffer;
  name: string;
}

/** The only file that a form may contain. */
export interface FileKind {
  field: string;
  maxBytes: number;
  /** Returns the error for a form that exceeds its size because of the file. */
  tooLarge: () => AppError;
  /** Returns the error for a file field that was sent as text. */
  noFile: () => AppError;
}

const imageKind: FileKind = {
  field: 'image',
  maxBytes: maxImageBytes,
  tooLarge: () => new AppError('IMAGE.TOO_LARGE', 413, tooHeavy, { imageError: tooHeavy }),
  noFile: () => {
    const imageError = "L'image doit être envoyée comme un fichier.";
    return new AppError('UPLOAD.NO_FILE', 400, imageError, { imageError });
  },
};

const refusedFile = (code: string, status: number, message: string) =>
  new AppError(code, status, message, { errors: [{ field: 'fichier', message }] });

/** A document for import or attachment. */
export const documentKind: FileKind = {
  field: 'fichier',
  maxBytes: maxDocumentBytes,
  tooLarge: () => refusedFile('DOCUMENT.TOO_LARGE', 413, 'Le fichier dépasse 10 Mo.'),
  noFile: () => refusedFile('UPLOAD.NO_FILE', 400, 'Choisissez un fichier.'),
};

const limits = {
  files: 1,
  fields: 10,
  /** Maximum size of one field, in bytes. */
  fieldSize: 20 * 1024,
  parts: 12,
  headerPairs: 10,
  /** Maximum size of one part's headers, in bytes. */
  headerSize: 4 * 1024,
};
/** Returns the maximum size of a form, in bytes: the file, all fields at their longest, and the boundaries. */
const maxRequestBytes = ({ maxBytes }: FileKind): number => maxBytes + limits.fields * limits.fieldSize + 64 * 1024;
/**
 * Maximum number of bytes of a refused form that are read and discarded: a client disconnected while sending does not see the response.
 * Beyond this the connection is closed; slow senders are stopped by the server's request timeout.
 */
export const maxDrainedBytes = 64 * 1024 * 1024;

/** Lets the routes of this scope receive forms with a file. The body is parsed only in `readUpload`, after the guards. */
export async function registerUploads(app: FastifyInstance): Promise<void> {
  await app.register(multipart, { limits });
}

/**
 * Reads a `multipart/form-data` request with an image (see readForm).
 * @throws AppError 413 with `imageError` when the form is too large, 415 when it is no multipart form, 400 for other faults
 */
export async function readUpload(request: FastifyRequest): Promise<Upload> {
  const { fields, file } = await readForm(request, imageKind);
  return { fields, image: file?.bytes ?? null };
}

/**
 * Reads a `multipart/form-data` request into memory; nothing is written to disk. `file` is null if none was chosen. A repeated field, a
 * file under another name and malformed input refuse the whole form. Unknown fields are returned too: the caller's schema drops them.
 * @throws AppError 413 when the form is too large, 415 when it is no multipart form, 400 for other faults
 */
export async function readForm(request: FastifyRequest, kind: FileKind) {
  if (!request.isMultipart()) throw new AppError('UPLOAD.MEDIA_TYPE', 415, "Ce format d'envoi n'est pas pris en charge.");
  try {
    // Refuses a form whose declared length is too large before reading it.
    if (Number(request.headers['content-length']) > maxRequestBytes(kind)) throw kind.tooLarge();
    const parts = request.parts({ limits: { ...limits, fileSize: kind.maxBytes } });
    return await Promise.race([readParts(parts, kind), overflow(request.raw, kind)]);
  } catch (error) {
    drain(request.raw);
    throw error instanceof AppError ? error : refusal(error, kind);
  }
}

async function readParts(
  parts: AsyncIterable<Multipart>,
  kind: FileKind,
): Promise<{ fields: Upload['fields']; file: UploadedFile | null }> {
  const fields = new Map<string, string>();
  let file: UploadedFile | null = null;
  for await (const part of parts) {
    if (part.type === 'file') file = await readFile(part, kind);
    else if (part.fieldname === kind.field) refuseTextAsFile(part.value, kind);
    else if (fields.has(part.fieldname)) throw invalidRequest();
    else fields.set(part.fieldname, text(part));
  }
  return { fields: Object.fromEntries(fields), file };
}

async function readFile(part: MultipartFile, { field }: FileKind): Promise<UploadedFile | null> {
  if (part.fieldname !== field) throw invalidRequest();
  const bytes = await part.toBuffer();
  // Browsers send an empty part without a name if no file was chosen. A chosen empty file has a name and is refused later.
  return bytes.length === 0 && !part.filename ? null : { bytes, name: part.filename ?? '' };
}

function text({ fieldname, value, valueTruncated }: Exclude<Multipart, MultipartFile>): string {
  // A part with a JSON content type has been parsed to another type, and is no valid field.
  if (typeof fieldname !== 'string' || typeof value !== 'string') throw invalidRequest();
  if (valueTruncated) throw invalidRequest([{ field: fieldname, message: 'Ce texte est trop long' }]);
  return value;
}

function refuseTextAsFile(value: unknown, { noFile }: FileKind): void {
  if (value !== '') throw noFile();
}

/** Rejects when the form exceeds its size: the parser does not limit bytes before the first and after the last part. */
function overflow(stream: Readable, kind: FileKind): Promise<never> {
  return new Promise((_, reject) => {
    let bytes = 0;
    stream.on('data', (chunk: Buffer) => {
      bytes += chunk.length;
      if (bytes > maxRequestBytes(kind)) reject(kind.tooLarge());
    });
  });
}

function refusal(error: unknown, { tooLarge }: FileKind): AppError {
  const code = (error as { code?: unknown }).code;
  return code === 'FST_REQ_FILE_TOO_LARGE' ? tooLarge() : new AppError('UPLOAD.MALFORMED', 400, invalidRequest().message, { cause: error });
}

/** Discards the rest of the body, so that the client gets the response and the connection can be reused. */
function drain(stream: Readable): void {
  let bytes = 0;
  stream.unpipe();
  stream.on('data', (chunk: Buffer) => {
    bytes += chunk.length;
    if (bytes > maxDrainedBytes) stream.destroy();
  });
  stream.resume();
}
