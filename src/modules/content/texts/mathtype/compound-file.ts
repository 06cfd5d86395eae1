/** Thrown when a compound file or an equation cannot be read. It never leaves `mathTypeLatex`. */
export class UnreadableEquation extends Error {
  override name = 'UnreadableEquation';
}

const SIGNATURE = 'd0cf11e0a1b11ae1';
/** Sector numbers from this one on mark free sectors and ends of chains. */
const firstMark = 0xfffffffa;
const headerBytes = 512;
const entryBytes = 128;
const streamType = 2;
/** Sector numbers of the allocation table that the header itself holds. */
const inHeader = 109;

/**
 * Returns the bytes of the first stream of this name in an OLE compound file ([MS-CFB]); null when it has none. A chain is never longer
 * than the file, so that a cycle ends.
 * @param most largest stream, in bytes
 * @throws UnreadableEquation when the file is damaged, or the stream is larger than `most`
 */
export function compoundStream(bytes: Buffer, name: string, most: number): Buffer | null {
  try {
    return new CompoundFile(bytes).stream(name, most);
  } catch (error) {
    throw error instanceof RangeError ? new UnreadableEquation('the compound file ends too early', { cause: error }) : error;
  }
}

class CompoundFile {
  readonly #bytes: Buffer;
  readonly #sectorBytes: number;
  readonly #miniBytes: number;
  /** The sector that follows each sector in its chain. */
  readonly #next: Buffer;

  constructor(bytes: Buffer) {
    if (bytes.length < headerBytes || bytes.toString('hex', 0, 8) !== SIGNATURE) throw new UnreadableEquation('no compound file');
    const [shift, miniShift] = [bytes.readUInt16LE(30), bytes.readUInt16LE(32)];
    if ((shift !== 9 && shift !== 12) || miniShift !== 6) throw new UnreadableEquation('unknown sector size');
    this.#bytes = bytes;
    this.#sectorBytes = 2 ** shift;
    this.#miniBytes = 2 ** miniShift;
    this.#next = Buffer.concat(this.#tableSectors().map((sector) => this.#sector(sector)));
  }

  stream(name: string, most: number): Buffer | null {
    const directory = this.#chain(this.#bytes.readUInt32LE(48), this.#bytes.length);
    for (let at = 0; at + entryBytes <= directory.length; at += entryBytes) {
      const entry = directory.subarray(at, at + entryBytes);
      const nameBytes = entry.readUInt16LE(64);
      if (entry[66] !== streamType || nameBytes < 2 || nameBytes > 64) continue;
      if (entry.toString('utf16le', 0, nameBytes - 2) !== name) continue;
      const size = entry.readUInt32LE(120);
      if (size > most) throw new UnreadableEquation('the stream is too large');
      const start = entry.readUInt32LE(116);
      const isSmall = size < this.#bytes.readUInt32LE(56);
      const data = isSmall ? this.#miniChain(start, size, directory) : this.#chain(start, size);
      if (data.length < size) throw new UnreadableEquation('the stream ends too early');
      return data.subarray(0, size);
    }
    return null;
  }

  /** Returns the numbers of the sectors that hold the allocation table. */
  #tableSectors(): number[] {
    const numbers: number[] = [];
    const take = (source: Buffer, from: number, count: number) => {
      for (let index = 0; index < count; index += 1) {
        const sector = source.readUInt32LE(from + 4 * index);
        if (sector < firstMark) numbers.push(sector);
      }
    };
    take(this.#bytes, 76, inHeader);
    const perSector = this.#sectorBytes / 4 - 1;
    let further = this.#bytes.readUInt32LE(68);
    for (let left = this.#sectors(); further < firstMark; left -= 1) {
      if (left === 0) throw new UnreadableEquation('a chain has no end');
      const sector = this.#sector(further);
      take(sector, 0, perSector);
      further = sector.readUInt32LE(4 * perSector);
    }
    if (numbers.length > this.#sectors()) throw new UnreadableEquation('the allocation table is larger than the file');
    return numbers;
  }

  #sectors(): number {
    return Math.ceil(this.#bytes.length / this.#sectorBytes);
  }

  /** Returns one sector. The last sector of a file may be shorter. */
  #sector(number: number): Buffer {
    const start = (number + 1) * this.#sectorBytes;
    if (start >= this.#bytes.length) throw new UnreadableEquation('a sector lies behind the end');
    return this.#bytes.subarray(start, start + this.#sectorBytes);
  }

  /** Returns the sectors of a chain, up to at least `most` bytes. */
  #chain(start: number, most: number): Buffer {
    return chained(start, this.#sectors(), this.#next, (sector) => this.#sector(sector), most);
  }

  /** Returns the small sectors of a chain; they lie in the stream of the root entry, the first of the directory. */
  #miniChain(start: number, most: number, directory: Buffer): Buffer {
    const container = this.#chain(directory.readUInt32LE(116), this.#bytes.length);
    const next = this.#chain(this.#bytes.readUInt32LE(60), this.#bytes.length);
    const size = this.#miniBytes;
    return chained(start, container.length / size, next, (sector) => container.subarray(sector * size, (sector + 1) * size), most);
  }
}

/** @param longest maximum number of sectors of the chain */
function chained(start: number, longest: number, next: Buffer, sectorOf: (number: number) => Buffer, most: number): Buffer {
  const sectors: Buffer[] = [];
  let length = 0;
  for (let sector = start; sector < firstMark && length < most; sector = next.readUInt32LE(4 * sector)) {
    if (sectors.length > longest) throw new UnreadableEquation('a chain has no end');
    const data = sectorOf(sector);
    sectors.push(data);
    length += data.length;
  }
  return Buffer.concat(sectors);
}
