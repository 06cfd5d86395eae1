import { crc32, inflateRawSync } from 'node:zlib';
import type { AppError } from '../../../../platform/errors.ts';
import { refused, tooComplex, unreadableWord } from '../refusal.ts';

/**
 * Maximum total size of the inflated parts of a document, in bytes. Both the announced and the actual size are checked, against zip
 * bombs.
 */
const maxInflatedBytes = 80 * 1024 * 1024;
/** Maximum total size of the pictures of a document, in bytes. One is in memory at a time, and they may be photographs of 60 MB each. */
const maxPictureBytes = 300 * 1024 * 1024;
/** Maximum size of one picture, in bytes. */
const maxMediaBytes = 60 * 1024 * 1024;
const maxWordEntries = 3_000;

interface ArchiveOptions {
  /** Returns the error for bytes that are no complete archive. */
  readonly unreadable?: (cause?: unknown) => AppError;
  /** Maximum number of files. */
  readonly maxEntries?: number;
}

const END = 0x06054b50;
const ENTRY = 0x02014b50;
const LOCAL = 0x04034b50;

interface Entry {
  readonly method: number;
  readonly crc: number;
  readonly packed: number;
  readonly size: number;
  readonly offset: number;
}

/** Reads a .zip archive. Each file is inflated when it is read. Nothing is written to disk, and names are never used as paths. */
export class Archive {
  readonly #bytes: Buffer;
  readonly #entries = new Map<string, Entry>();
  #inflated = 0;
  /** Sizes of the pictures that were read, in bytes, by name: a reader may look at one twice. */
  readonly #pictures = new Map<string, number>();
  readonly #unreadable: (cause?: unknown) => AppError;
  readonly #maxEntries: number;

  /** @throws AppError 400 when the bytes are not a complete archive, or it has too many files, or two of the same name */
  constructor(bytes: Buffer, { unreadable = unreadableWord, maxEntries = maxWordEntries }: ArchiveOptions = {}) {
    this.#bytes = bytes;
    this.#unreadable = unreadable;
    this.#maxEntries = maxEntries;
    try {
      this.#readDirectory();
    } catch (error) {
      throw error instanceof RangeError ? this.#unreadable(error) : error;
    }
  }

  /** Names of all files, with their folders, in the order of the archive. */
  get names(): string[] {
    return [...this.#entries.keys()];
  }

  has(name: string): boolean {
    return this.#entries.has(name);
  }

  /**
   * Returns the bytes of a file; null when the archive has no file of that name.
   * @throws AppError 400 when the file is damaged, or larger than `most` bytes
   */
  read(name: string, most: number): Buffer | null {
    const data = this.#read(name, Math.min(most, maxInflatedBytes - this.#inflated));
    this.#inflated += data?.length ?? 0;
    return data;
  }

  /**
   * Returns the bytes of a picture, as `read` does. Pictures have a maximum size of their own.
   * @throws AppError 400 when it is damaged or larger than `maxMediaBytes`, or all pictures together are too large
   */
  picture(name: string): Buffer | null {
    const others = [...this.#pictures].reduce((sum, [other, size]) => sum + (other === name ? 0 : size), 0);
    const data = this.#read(name, Math.min(maxMediaBytes, maxPictureBytes - others));
    if (data) this.#pictures.set(name, data.length);
    return data;
  }

  #read(name: string, most: number): Buffer | null {
    const entry = this.#entries.get(name);
    if (!entry) return null;
    if (entry.size > most) throw tooComplex();
    const start = this.#dataOf(entry);
    const packed = this.#bytes.subarray(start, start + entry.packed);
    const data = entry.method === 0 ? packed : this.#inflate(packed, most);
    if (data.length > most) throw tooComplex();
    // Damaged bytes may still inflate.
    if (crc32(data) !== entry.crc) throw this.#unreadable();
    return data;
  }

  #readDirectory(): void {
    const bytes = this.#bytes;
    // The end record may be followed by a comment of at most 65,535 bytes.
    let end = bytes.length - 22;
    const first = Math.max(0, end - 65_535);
    while (end >= first && bytes.readUInt32LE(end) !== END) end -= 1;
    if (end < first) throw this.#unreadable();
    const count = bytes.readUInt16LE(end + 10);
    let at = bytes.readUInt32LE(end + 16);
    if (count > this.#maxEntries) throw tooComplex();
    for (let index = 0; index < count; index += 1) at = this.#readEntry(at);
  }

  #readEntry(at: number): number {
    const bytes = this.#bytes;
    if (bytes.readUInt32LE(at) !== ENTRY) throw this.#unreadable();
    const flags = bytes.readUInt16LE(at + 8);
    const entry: Entry = {
      method: bytes.readUInt16LE(at + 10),
      crc: bytes.readUInt32LE(at + 16),
      packed: bytes.readUInt32LE(at + 20),
      size: bytes.readUInt32LE(at + 24),
      offset: bytes.readUInt32LE(at + 42),
    };
    if (flags & 1) throw refused('Ce document est protégé par un mot de passe. Retirez la protection, puis réessayez.');
    const nameLength = bytes.readUInt16LE(at + 28);
    const next = at + 46 + nameLength + bytes.readUInt16LE(at + 30) + bytes.readUInt16LE(at + 32);
    const name = bytes
      .toString('utf8', at + 46, at + 46 + nameLength)
      .replaceAll('\\', '/')
      .replace(/^\/+/, '');
    // Programs differ in which of two files of the same name they show.
    if (this.#entries.has(name)) throw this.#unreadable();
    if (!name.endsWith('/') && (entry.method === 0 || entry.method === 8)) this.#entries.set(name, entry);
    return next;
  }

  #inflate(packed: Buffer, most: number): Buffer {
    try {
      return inflateRawSync(packed, { maxOutputLength: Math.max(1, most) });
    } catch (error) {
      throw (error as { code?: string }).code === 'ERR_BUFFER_TOO_LARGE' ? tooComplex() : this.#unreadable(error);
    }
  }

  #dataOf({ offset, packed }: Entry): number {
    try {
      if (this.#bytes.readUInt32LE(offset) !== LOCAL) throw this.#unreadable();
      const start = offset + 30 + this.#bytes.readUInt16LE(offset + 26) + this.#bytes.readUInt16LE(offset + 28);
      if (start + packed > this.#bytes.length) throw this.#unreadable();
      return start;
    } catch (error) {
      throw error instanceof RangeError ? this.#unreadable(error) : error;
    }
  }
}
