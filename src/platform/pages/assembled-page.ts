import { crc32 } from 'node:zlib';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { compressedPiece, gzipMember, type Piece, storedLimit, storedPiece } from './gzip-member.ts';
import { matches } from './page-etag.ts';
import { joined, type Names, namesIn } from './style-rules.ts';
import { type InlineStyle, styleMarkers } from './style-sheets.ts';

/** Where the personal part stands in a page that is rendered for everybody. */
export const personalMarker = '<!--personal-->';

const holes = /(<!--(?:styles:[\w,]+|late-styles|personal)-->)/;
/** Headers of different people, by what occurs in them, whose styles a page remembers. */
const keptStyles = 20;

/** What stands in a page as it is. */
interface Fixed {
  text: Buffer;
  piece: Piece;
}

/**
 * A page compressed ahead of time around holes for the personal part and for its style: answering costs a copy and a checksum for each piece.
 *
 * The answer is one gzip member: what is the same for all, deflated and flushed to a byte boundary; the personal part as a stored block, which also keeps
 * it out of the compression context (BREACH); on a first visit the page's own style, compressed once for all pages with the same.
 */
export class AssembledPage {
  /** What is the same for all, and between them the holes by their markers. */
  readonly #parts: (Fixed | string)[];
  /** Names of its style sheets; null for a page without a place for them. */
  readonly #sheets: string | null;
  readonly #tag: string;
  /** What occurs in it, once somebody has asked for its style. */
  #names: Names | null = null;
  readonly #styles = new Map<string, InlineStyle>();

  /** @param html the page with `personalMarker` in it, once  @param tag what changes whenever the page does, for its ETag */
  constructor(html: string, tag: string) {
    if (!html.includes(personalMarker)) throw new Error('the page has no place for its personal part');
    // Every second part is a hole.
    this.#parts = html.split(holes).map((part, index) => {
      if (index % 2 === 1) return part;
      const text = Buffer.from(part);
      return { text, piece: compressedPiece(text) };
    });
    this.#sheets = styleMarkers.head.exec(html)?.[1] ?? null;
    this.#tag = tag;
  }

  /** Bytes that keeping this page costs. */
  get size(): number {
    return this.#fixed().reduce((bytes, { text, piece }) => bytes + text.length + piece.deflated.length, 0);
  }

  /** Answers the page with `personal` in its place: 304 when the browser has it, gzip when it takes it. */
  send(request: FastifyRequest, reply: FastifyReply, personal: string): FastifyReply {
    const part = Buffer.from(personal);
    const etag = `W/"${this.#tag}-${crc32(part).toString(36)}"`;
    reply.header('etag', etag).header('cache-control', 'private, no-cache').header('vary', 'accept-encoding, cookie, authorization');
    // Without a policy: the one that came with the page names its style, if it had one, and stays.
    if (matches(request.headers['if-none-match'], etag)) return reply.removeHeader('content-security-policy').code(304).send();
    reply.type('text/html; charset=utf-8');
    const { style, head, end } = this.#choose(request, reply, personal);
    const gzip = part.length <= storedLimit && acceptsGzip(request.headers['accept-encoding']);
    if (!gzip) return reply.send(Buffer.concat(this.#filled(({ text }) => text, part, Buffer.from(head), Buffer.from(end))));
    const headPiece = style?.piece ?? storedPiece(Buffer.from(head));
    const pieces = this.#filled(({ piece }) => piece, storedPiece(part), headPiece, storedPiece(Buffer.from(end)));
    return reply.header('content-encoding', 'gzip').send(gzipMember(pieces));
  }

  #filled<Part>(fixed: (part: Fixed) => Part, personal: Part, head: Part, end: Part): Part[] {
    return this.#parts.map((part) => {
      if (typeof part !== 'string') return fixed(part);
      if (part === personalMarker) return personal;
      return part === styleMarkers.end ? end : head;
    });
  }

  #choose(request: FastifyRequest, reply: FastifyReply, personal: string) {
    const sheets = this.#sheets;
    if (sheets === null) return { style: null, head: '', end: '' };
    const { styleSheets } = request.server;
    return styleSheets.choose(request, reply, sheets, () => {
      const names = namesIn(personal);
      const key = [...names.elements, ...names.classes].join(' ');
      const known = this.#styles.get(key);
      if (known) return known;
      this.#names ??= namesIn(Buffer.concat(this.#fixed().map(({ text }) => text)).toString());
      const style = styleSheets.style(sheets, joined(this.#names, names));
      if (this.#styles.size < keptStyles) this.#styles.set(key, style);
      return style;
    });
  }

  #fixed(): Fixed[] {
    return this.#parts.filter((part) => typeof part !== 'string');
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
