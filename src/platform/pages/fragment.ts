import { crc32 } from 'node:zlib';
import { compressedPiece, type Piece, storedPiece } from './gzip-member.ts';
import { unpooled } from './unpooled.ts';

/** A part of pages, encoded once however often it is answered. */
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

  /** What tells it from other texts in an ETag. */
  get tag(): string {
    this.#tag ??= crc32(this.text).toString(36);
    return this.#tag;
  }

  /** Bytes that keeping it costs, at most. */
  get size(): number {
    return 4 * this.text.length;
  }
}

export const compressedFragment = (html: string): Fragment => new Fragment(html, compressedPiece);

/** For what is short, or must not be compressed together with anything. */
export const storedFragment = (html: string): Fragment => new Fragment(html, storedPiece);
