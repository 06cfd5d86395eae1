import { basename, extname } from 'node:path';
import { Readable } from 'node:stream';
import type { SendOptions } from '@fastify/static';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { AppError, notFound } from '../errors.ts';
import { attachment } from './attachment.ts';
import { typeOf } from './s3-store.ts';
import type { FileStore, Part } from './storage.ts';

/**
 * Sends a file of a store: complete, a range, or 304. The caller has checked permission and set the caching headers. From a folder, Fastify
 * sends the file; from a remote store it is streamed.
 * @param called name under which the browser saves the file instead of showing it
 * @throws AppError 404, 416
 */
export async function sendStored(
  request: FastifyRequest,
  reply: FastifyReply,
  store: FileStore,
  name: string,
  called?: string,
): Promise<FastifyReply> {
  if (called !== undefined) reply.header('content-disposition', attachment(called));
  if ('folder' in store.source) {
    const options: SendOptions & { root: string } = { root: store.source.folder, cacheControl: false };
    return reply.sendFile(name, options.root, options);
  }
  // A name is never reused for other bytes, so it serves as ETag.
  const etag = `"${basename(name, extname(name))}"`;
  if (matches(request.headers['if-none-match'], etag)) return reply.headers({ etag }).code(304).send();
  const sent = { 'accept-ranges': 'bytes', etag };
  if (!reply.hasHeader('content-type')) reply.type(typeOf(name));
  if (request.method === 'HEAD') {
    const size = await store.size(name);
    if (size === null) throw notFound();
    // An empty body, though HEAD responses have none: without it Fastify would set the length to 0.
    return reply.headers({ ...sent, 'content-length': size }).send(Readable.from([]));
  }
  const part = await partOf(request, etag, () => store.size(name));
  const opened = await store.source.open(name, part ?? undefined);
  if (!opened) throw notFound();
  if (opened.range !== null) reply.code(206).header('content-range', opened.range);
  return reply.headers({ ...sent, 'last-modified': opened.modified.toUTCString(), 'content-length': opened.length }).send(opened.body);
}

/**
 * Returns a short-lived address of the store to which a browser that navigates to a document is redirected. Null for requests by scripts,
 * service workers and page images, which may not follow to another origin, and for files in a folder.
 */
export async function addressToGoTo(request: FastifyRequest, { source }: FileStore, name: string, called: string): Promise<string | null> {
  if ('folder' in source || request.method !== 'GET' || request.headers['sec-fetch-mode'] !== 'navigate') return null;
  return source.signedAddress(name, { type: typeOf(name), disposition: attachment(called) });
}

const matches = (asked: string | undefined, etag: string): boolean =>
  (asked ?? '').split(',').some((one) => one.trim().replace(/^W\//, '') === etag);

/**
 * Returns the requested range; null for the complete file, also if the request has several ranges or an unknown unit.
 * @throws AppError 416
 */
async function partOf(request: FastifyRequest, etag: string, size: () => Promise<number | null>): Promise<Part | null> {
  const [, from, to] = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(request.headers.range ?? '') ?? [];
  if (from === undefined || to === undefined || (from === '' && to === '')) return null;
  const onlyIf = request.headers['if-range'];
  if (onlyIf !== undefined && onlyIf !== etag) return null;
  if (from !== '' && to !== '' && Number(to) < Number(from)) return null;
  if (from !== '') return { from: Number(from), ...(to !== '' && { to: Number(to) }) };
  // The last bytes: not all stores support this kind of range.
  const all = await size();
  if (all === null) throw notFound();
  if (Number(to) === 0) throw new AppError('REQUEST.RANGE', 416, "Cette partie du fichier n'existe pas.");
  return { from: Math.max(0, all - Number(to)) };
}
