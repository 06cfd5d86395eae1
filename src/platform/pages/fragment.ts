import { crc32 } from 'node:zlib';
import { compressedPiece, joinedPiece, type Piece, storedPiece } from './gzip-member.ts';
import { unpooled } from './unpooled.ts';

/** A part of a page's HTML that is encoded once for all responses. */
export class Fragment {
  readonly html: string;
  readonly text: Buffer;
  readonly #encode: (text: Buffer) => Piece;
  #piece: Piece | undefined;
  #tag: string | undefined;

  constructor(html: string, encode: (text: Buffer) => Piece) {
    this.html = html;
    this.text = unpooled(Buffer.from(html));
    this.#encode = encode;
  }

  get piece(): Piece {
    this.#piece ??= this.#encode(this.text);
    return this.#piece;
  }

  /** Short hash of the text, used in ETags. */
  get tag(): string {
    this.#tag ??= crc32(this.text).toString(36);
    return this.#tag;
  }

  /** Memory for this fragment, in bytes, at most. */
  get size(): number {
    return 4 * this.text.length;
  }
}

export const compressedFragment = (html: string): Fragment => new Fragment(html, compressedPiece);

/** Returns an uncompressed fragment: for short texts, and for secrets that must not be compressed together with other content. */
export const storedFragment = (html: string): Fragment => new Fragment(html, storedPiece);

/** Returns the fragments as one; each keeps its encoding. */
export const joinedFragment = (parts: readonly Fragment[]): Fragment =>
  new Fragment(parts.map(({ html }) => html).join(''), () => joinedPiece(parts.map(({ piece }) => piece)));
