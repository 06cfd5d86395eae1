import { inflateRawSync } from 'node:zlib';
import { refused, tooComplex, unreadableWord } from '../refusal.ts';

/**
 * Maximum total size of the inflated parts of a document, in bytes. Both the announced and the actual size are checked, against zip
 * bombs.
 */
const maxInflatedBytes = 80 * 1024 * 1024;
const maxEntries = 3_000;

const END = 0x06054b50;
const ENTRY = 0x02014b50;
const LOCAL = 0x04034b50;

interface Entry {
  readonly method: number;
  readonly packed: number;
  readonly size: number;
  readonly offset: number;
}

/** Reads a .zip archive. Each file is inflated when it is read. Nothing is written to disk, and names are never used as paths. */
export class Archive {
  readonly #bytes: Buffer;
  readonly #entries = new Map<string, Entry>();
  #inflated = 0;

  /** @throws AppError 400 when the bytes are not a complete archive */
  constructor(bytes: Buffer) {
    this.#bytes = bytes;
    try {
      this.#readDirectory();
    } catch (error) {
      throw error instanceof RangeError ? unreadableWord(error) : error;
    }
  }

  /** Returns the names of all files, with their folders. */
  names(): string[] {
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
    const entry = this.#entries.get(name);
    if (!entry) return null;
    const left = Math.min(most, maxInflatedBytes - this.#inflated);
    if (entry.size > left) throw tooComplex();
    const start = this.#dataOf(entry);
    const packed = this.#bytes.subarray(start, start + entry.packed);
    const data = entry.method === 0 ? packed : inflate(packed, left);
    this.#inflated += data.length;
    if (data.length > left) throw tooComplex();
    return data;
  }

  #readDirectory(): void {
    const bytes = this.#bytes;
    // The end record may be followed by a comment of at most 65,535 bytes.
    let end = bytes.length - 22;
    const first = Math.max(0, end - 65_535);
    while (end >= first && bytes.readUInt32LE(end) !== END) end -= 1;
    if (end < first) throw unreadableWord();
    const count = bytes.readUInt16LE(end + 10);
    let at = bytes.readUInt32LE(end + 16);
    if (count > maxEntries) throw tooComplex();
    for (let index = 0; index < count; index += 1) at = this.#readEntry(at);
  }

  #readEntry(at: number): number {
    const bytes = this.#bytes;
    if (bytes.readUInt32LE(at) !== ENTRY) throw unreadableWord();
    const flags = bytes.readUInt16LE(at + 8);
    const entry: Entry = {
      method: bytes.readUInt16LE(at + 10),
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
    if (!name.endsWith('/') && (entry.method === 0 || entry.method === 8)) this.#entries.set(name, entry);
    return next;
  }

  #dataOf({ offset, packed }: Entry): number {
    try {
      if (this.#bytes.readUInt32LE(offset) !== LOCAL) throw unreadableWord();
      const start = offset + 30 + this.#bytes.readUInt16LE(offset + 26) + this.#bytes.readUInt16LE(offset + 28);
      if (start + packed > this.#bytes.length) throw unreadableWord();
      return start;
    } catch (error) {
      throw error instanceof RangeError ? unreadableWord(error) : error;
    }
  }
}

function inflate(packed: Buffer, most: number): Buffer {
  try {
    return inflateRawSync(packed, { maxOutputLength: Math.max(1, most) });
  } catch (error) {
    throw (error as { code?: string }).code === 'ERR_BUFFER_TOO_LARGE' ? tooComplex() : unreadableWord(error);
  }
}
