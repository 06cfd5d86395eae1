import { createHash } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { acceptsEncoding } from '../http/text-encoding.ts';
import type { Fragment } from './fragment.ts';
import { compressedPiece, gzipMember, type Piece, storedPiece } from './gzip-member.ts';
import { matches } from './page-etag.ts';
import { joined, type Names, namesIn } from './style-rules.ts';
import { type InlineStyle, noStyle, styleMarkers } from './style-sheets.ts';
import { unchanged } from './unchanged.ts';
import { unpooled } from './unpooled.ts';

/** Where the header's personal part stands in a page that is rendered for everybody. */
export const personalMarker = '<!--personal-->';
/** Where what is the learner's own stands in it. */
export const ownMarker = '<!--own-->';

const holes = /(<!--(?:styles:[\w,]+|late-styles|personal|own)-->)/;
/** Of a text this short deflating saves hardly a byte, and costs as much as of a thousand. */
const shortLimit = 200;
/** Personal parts, by what occurs in them, whose styles a page remembers. */
const keptStyles = 20;

/** A text and the same compressed. */
interface Part {
  text: Buffer;
  piece: Piece;
}

/** What is put into the holes of one answer. */
interface Filling {
  personal: Part;
  /** In the order of their places. */
  own: readonly Part[];
  head: Part;
  end: Part;
}

/**
 * A page compressed ahead of time around holes for what is one person's, and for its style: answering costs a copy, and a checksum for each piece.
 *
 * The answer is one gzip member: what is the same for all, deflated; the personal part of the header, name and messages, as stored blocks; what else is the
 * learner's own, deflated by itself; on a first visit the page's own style, compressed once for all pages with the same. Concatenated members would not do:
 * browsers read only the first.
 */
export class AssembledPage {
  /** What is the same for all, and between them the holes by their markers. */
  readonly #parts: (Part | string)[];
  /** Names of its style sheets; null for a page without a place for them. */
  readonly #sheets: string | null;
  readonly #tag: string;
  /** What occurs in it, once somebody has asked for its style. */
  #names: Names | null = null;
  readonly #styles = new Map<string, InlineStyle>();

  /** @param html the page with `personalMarker` in it, and `ownMarker` as often as needed  @param version of the assets that it names */
  constructor(html: string, version: string) {
    if (!html.includes(personalMarker)) throw new Error('the page has no place for its personal part');
    const digest = createHash('sha1').update(version);
    // Every second part is a hole.
    this.#parts = html.split(holes).map((part, index) => {
      if (index % 2 === 1) {
        digest.update(part);
        return part;
      }
      const text = unpooled(Buffer.from(part));
      const piece = text.length < shortLimit ? storedPiece(text) : compressedPiece(text);
      // Says as much as the text, in a third of the bytes.
      digest.update(piece.deflated);
      return { text, piece };
    });
    this.#sheets = styleMarkers.head.exec(html)?.[1] ?? null;
    this.#tag = digest.digest('base64url').slice(0, 16);
  }

  /** Bytes that keeping this page costs. */
  get size(): number {
    return this.#fixed().reduce((bytes, { text, piece }) => bytes + text.length + piece.deflated.length, 0);
  }

  /**
   * Answers the page with `personal` in its place: 304 when the browser has it, gzip when it takes it.
   * @param own what stands in the places of `ownMarker`, in their order
   */
  send(request: FastifyRequest, reply: FastifyReply, personal: Fragment, own: readonly Fragment[] = []): FastifyReply {
    const etag = `W/"${this.#tag}-${[personal, ...own].map(({ tag }) => tag).join('.')}"`;
    reply.header('etag', etag).header('cache-control', 'private, no-cache').header('vary', 'accept-encoding, cookie, authorization');
    if (matches(request.headers['if-none-match'], etag)) return unchanged(reply).send();
    reply.type('text/html; charset=utf-8');
    const parts = this.#filled({ personal, own, ...this.#choose(request, reply, [personal, ...own]) });
    if (!acceptsGzip(request.headers['accept-encoding'])) return reply.send(Buffer.concat(parts.map(({ text }) => text)));
    return reply.header('content-encoding', 'gzip').send(gzipMember(parts.map(({ piece }) => piece)));
  }

  #filled({ personal, own, head, end }: Filling): Part[] {
    const left = [...own];
    return this.#parts.map((part) => {
      if (typeof part !== 'string') return part;
      if (part === styleMarkers.end) return end;
      if (part !== personalMarker && part !== ownMarker) return head;
      const filling = part === personalMarker ? personal : left.shift();
      if (filling === undefined) throw new Error('the page has more places than were filled');
      return filling;
    });
  }

  #choose(request: FastifyRequest, reply: FastifyReply, own: readonly Fragment[]) {
    const sheets = this.#sheets;
    if (sheets === null) return noStyle;
    const { styleSheets } = request.server;
    return styleSheets.choose(request, reply, sheets, () => {
      const names = namesIn(own.map(({ html }) => html).join(''));
      const key = [...names.elements, ...names.classes].join(' ');
      const known = this.#styles.get(key);
      if (known) return known;
      this.#names ??= namesIn(Buffer.concat(this.#fixed().map(({ text }) => text)).toString());
      const style = styleSheets.style(sheets, joined(this.#names, names));
      if (this.#styles.size < keptStyles) this.#styles.set(key, style);
      return style;
    });
  }

  #fixed(): Part[] {
    return this.#parts.filter((part) => typeof part !== 'string');
  }
}

const acceptsGzip = (header: string | string[] | undefined): boolean => acceptsEncoding(header, 'gzip');
