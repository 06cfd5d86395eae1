import type { Readable } from 'node:stream';
import multipart, { type Multipart, type MultipartFile } from '@fastify/multipart';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { maxImageBytes } from '../../shared/forms/catalogue.ts';
import { maxDocumentBytes } from '../../shared/forms/content.ts';
import { AppError, invalidRequest } from '../errors.ts';
import { tooHeavy } from './image-source.ts';

/** A form as it was sent: its texts, and the bytes of the image, if one was chosen. */
export interface Upload {
  fields: Record<string, string>;
  image: Buffer | null;
}

/** A file as it was sent: its bytes, and what the sender calls it, which proves nothing. */
export interface UploadedFile {
  bytes: Buffer;
  name: string;
}

/** The one file that a form may hold. */
export interface FileKind {
  field: string;
  /** Of the file, in bytes. */
  maxBytes: number;
  /** The file is what makes a form too large. */
  tooLarge: () => AppError;
  /** The field came as a text. */
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

/** A document to be imported or attached. */
export const documentKind: FileKind = {
  field: 'fichier',
  maxBytes: maxDocumentBytes,
  tooLarge: () => refusedFile('DOCUMENT.TOO_LARGE', 413, 'Le fichier dépasse 10 Mo.'),
  noFile: () => refusedFile('UPLOAD.NO_FILE', 400, 'Choisissez un fichier.'),
};

const limits = {
  files: 1,
  fields: 10,
  /** In bytes. */
  fieldSize: 20 * 1024,
  parts: 12,
  headerPairs: 10,
  /** Of one part, in bytes. */
  headerSize: 4 * 1024,
};
/** Of a whole form, in bytes: the file, every field at its longest, and what stands between them. */
const maxRequestBytes = ({ maxBytes }: FileKind): number => maxBytes + limits.fields * limits.fieldSize + 64 * 1024;
/**
 * Bytes of a refused form that are still read and thrown away: a client that is cut off while it sends loses the answer. Whoever goes on sending
 * beyond is cut off; whoever sends slowly, by the server's request timeout.
 */
export const maxDrainedBytes = 64 * 1024 * 1024;

/** Lets the routes of this scope read forms with a file. The stream is not parsed before `readUpload`, that is after the guards. */
export async function registerUploads(app: FastifyInstance): Promise<void> {
  await app.register(multipart, { limits });
}

/**
 * Reads a `multipart/form-data` request with an image (see readForm).
 * @throws AppError 413 with `imageError` when the form is larger than an image may be, 415 when it is no multipart form, 400 for the rest
 */
export async function readUpload(request: FastifyRequest): Promise<Upload> {
  const { fields, file } = await readForm(request, imageKind);
  return { fields, image: file?.bytes ?? null };
}

/**
 * Reads a `multipart/form-data` request in memory; nothing is written to disk. No file chosen is null. A field that comes twice, a file under
 * another name and everything malformed refuse the whole form. Fields that nobody asked for are for the caller's schema to leave out.
 * @throws AppError 413 when the form is larger than its file may be, 415 when it is no multipart form, 400 for the rest
 */
export async function readForm(request: FastifyRequest, kind: FileKind) {
  if (!request.isMultipart()) throw new AppError('UPLOAD.MEDIA_TYPE', 415, "Ce format d'envoi n'est pas pris en charge.");
  try {
    // Said before a byte is read, where the client has told how much will come.
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
  // What browsers send when no file was chosen. An empty file that was chosen has a name, and is refused for what it is.
  return bytes.length === 0 && !part.filename ? null : { bytes, name: part.filename ?? '' };
}

function text({ fieldname, value, valueTruncated }: Exclude<Multipart, MultipartFile>): string {
  // A part may call itself JSON: it has been parsed then, and no field of a form is that.
  if (typeof fieldname !== 'string' || typeof value !== 'string') throw invalidRequest();
  if (valueTruncated) throw invalidRequest([{ field: fieldname, message: 'Ce texte est trop long' }]);
  return value;
}

function refuseTextAsFile(value: unknown, { noFile }: FileKind): void {
  if (value !== '') throw noFile();
}

/** Rejects when more has come than a form may hold: neither what precedes the parts nor what follows them is bounded by the parser. */
function overflow(stream: Readable, kind: FileKind): Promise<never> {
  return new Promise((_, reject) => {
    let bytes = 0;
    stream.on('data', (chunk: Buffer) => {
      bytes += chunk.length;
      if (bytes > maxRequestBytes(kind)) reject(kind.tooLarge());
    });
  });
}

/** What the parser has thrown, as the caller may see it. */
function refusal(error: unknown, { tooLarge }: FileKind): AppError {
  const code = (error as { code?: unknown }).code;
  return code === 'FST_REQ_FILE_TOO_LARGE' ? tooLarge() : new AppError('UPLOAD.MALFORMED', 400, invalidRequest().message, { cause: error });
}

/** Reads on without keeping anything, so that the answer arrives and the connection can be used again. */
function drain(stream: Readable): void {
  let bytes = 0;
  stream.unpipe();
  stream.on('data', (chunk: Buffer) => {
    bytes += chunk.length;
    if (bytes > maxDrainedBytes) stream.destroy();
  });
  stream.resume();
}
