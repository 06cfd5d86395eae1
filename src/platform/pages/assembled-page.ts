import { constants, crc32, deflateRawSync } from 'node:zlib';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { combineCrc32, combineOperator } from './crc32-combine.ts';
import { matches } from './page-etag.ts';

/** Where the personal part stands in a page that is rendered for everybody. */
export const personalMarker = '<!--personal-->';

const gzipHeader = Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 3]);
/** A stored block's bytes, at most. */
const storedLimit = 0xffff;

/**
 * A page compressed ahead of time around a hole for the personal part: answering costs a copy and two checksums.
 *
 * The answer is one gzip member: the piece before, deflated and flushed to a byte boundary; the personal part as a stored block, which also keeps
 * it out of the compression context (BREACH); the piece after, deflated. Concatenated members would not do: browsers read only the first.
 */
export class AssembledPage {
  readonly #before: Buffer;
  readonly #after: Buffer;
  readonly #deflatedBefore: Buffer;
  readonly #deflatedAfter: Buffer;
  readonly #crcBefore: number;
  readonly #crcAfter: number;
  readonly #operator: number;
  readonly #tag: string;

  /** @param html the page with `personalMarker` in it, once  @param tag what changes whenever the page does, for its ETag */
  constructor(html: string, tag: string) {
    const hole = html.indexOf(personalMarker);
    if (hole < 0) throw new Error('the page has no place for its personal part');
    this.#before = Buffer.from(html.slice(0, hole));
    this.#after = Buffer.from(html.slice(hole + personalMarker.length));
    this.#deflatedBefore = deflateRawSync(this.#before, { level: 6, finishFlush: constants.Z_SYNC_FLUSH });
    this.#deflatedAfter = deflateRawSync(this.#after, { level: 6 });
    this.#crcBefore = crc32(this.#before);
    this.#crcAfter = crc32(this.#after);
    this.#operator = combineOperator(this.#after.length);
    this.#tag = tag;
  }

  /** Bytes that keeping this page costs. */
  get size(): number {
    return this.#before.length + this.#after.length + this.#deflatedBefore.length + this.#deflatedAfter.length;
  }

  /** Answers the page with `personal` in its place: 304 when the browser has it, gzip when it takes it. */
  send(request: FastifyRequest, reply: FastifyReply, personal: string): FastifyReply {
    const part = Buffer.from(personal);
    const etag = `W/"${this.#tag}-${crc32(part).toString(36)}"`;
    reply.header('etag', etag).header('cache-control', 'private, no-cache').header('vary', 'accept-encoding, cookie, authorization');
    if (matches(request.headers['if-none-match'], etag)) return reply.code(304).send();
    reply.type('text/html; charset=utf-8');
    const gzip = part.length <= storedLimit && acceptsGzip(request.headers['accept-encoding']);
    if (!gzip) return reply.send(Buffer.concat([this.#before, part, this.#after]));
    return reply.header('content-encoding', 'gzip').send(this.#member(part));
  }

  #member(part: Buffer): Buffer {
    const stored = Buffer.allocUnsafe(5);
    stored[0] = 0;
    stored.writeUInt16LE(part.length, 1);
    stored.writeUInt16LE(part.length ^ 0xffff, 3);
    const trailer = Buffer.allocUnsafe(8);
    trailer.writeUInt32LE(combineCrc32(crc32(part, this.#crcBefore), this.#crcAfter, this.#operator), 0);
    trailer.writeUInt32LE((this.#before.length + part.length + this.#after.length) >>> 0, 4);
    return Buffer.concat([gzipHeader, this.#deflatedBefore, stored, part, this.#deflatedAfter, trailer]);
  }
}

const encodings = {
  br: /(?:^|[,\s])(?:br|\*)(?!\s*;\s*q=0(?:\.0*)?\s*(?:,|$))/i,
  gzip: /(?:^|[,\s])(?:gzip|\*)(?!\s*;\s*q=0(?:\.0*)?\s*(?:,|$))/i,
};

/** Whether a request takes an encoding; a weight of 0 refuses it. */
export function acceptsEncoding(header: string | string[] | undefined, encoding: keyof typeof encodings): boolean {
  return encodings[encoding].test(String(header ?? ''));
}

const acceptsGzip = (header: string | string[] | undefined): boolean => acceptsEncoding(header, 'gzip');
