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

/** Marks the place of the header's personal part in a page rendered for everybody. */
export const personalMarker = '<!--personal-->';
/** Marks the places of the learner's own content in such a page. */
export const ownMarker = '<!--own-->';

const holes = /(<!--(?:styles:[\w,]+|late-styles|personal|own)-->)/;
/** Texts shorter than this, in bytes, are stored: deflating saves hardly a byte and costs as much as for a thousand. */
const shortLimit = 200;
/** Number of styles that a page remembers, by the element and class names in its personal parts. */
const keptStyles = 20;

/** A text and its compressed form. */
interface Part {
  text: Buffer;
  piece: Piece;
}

/** Parts for the holes of one response. */
interface Filling {
  personal: Part;
  /** The learner's own parts, in the order of the markers. */
  own: readonly Part[];
  head: Part;
  end: Part;
}

/**
 * A page that is compressed in advance, with holes for personal parts and for its style. A response costs one copy, plus a checksum for
 * each piece.
 *
 * The response is one gzip member. The common parts are deflated. Name and messages in the header's personal part are in stored blocks.
 * The learner's other content is deflated separately. On a first visit the page's inline style is added, compressed once for all pages with
 * the same rules. Concatenated members do not work: browsers read only the first.
 */
export class AssembledPage {
  /** Common parts, and between them the holes as marker strings. */
  readonly #parts: (Part | string)[];
  /** Names of the page's style sheets; null for a page without style markers. */
  readonly #sheets: string | null;
  readonly #tag: string;
  /** Names in the common parts; read when the inline style is first needed. */
  #names: Names | null = null;
  readonly #styles = new Map<string, InlineStyle>();

  /**
   * @param html contains `personalMarker` once and `ownMarker` any number of times
   * @param version of the assets to which the page refers
   */
  constructor(html: string, version: string) {
    if (!html.includes(personalMarker)) throw new Error('the page has no place for its personal part');
    const digest = createHash('sha1').update(version);
    // split() with a capture group puts the holes at the odd indexes.
    this.#parts = html.split(holes).map((part, index) => {
      if (index % 2 === 1) {
        digest.update(part);
        return part;
      }
      const text = unpooled(Buffer.from(part));
      const piece = text.length < shortLimit ? storedPiece(text) : compressedPiece(text);
      // The deflated bytes identify the text and are a third as long.
      digest.update(piece.deflated);
      return { text, piece };
    });
    this.#sheets = styleMarkers.head.exec(html)?.[1] ?? null;
    this.#tag = digest.digest('base64url').slice(0, 16);
  }

  /** Memory for this page, in bytes. */
  get size(): number {
    return this.#fixed().reduce((bytes, { text, piece }) => bytes + text.length + piece.deflated.length, 0);
  }

  /**
   * Sends the page with `personal` in its place: 304 if the browser has it, gzip if the request accepts it.
   * @param own parts for the places of `ownMarker`, in order
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
