/** Equations as MathType and Equation Editor 3 write them, and the OLE storage in which Word embeds them. */

const sectorBytes = 512;
const miniBytes = 64;
const [END_OF_CHAIN, FREE, TABLE] = [0xfffffffe, 0xffffffff, 0xfffffffd];

/** Returns an OLE compound file with one stream: sectors 0 to 3 are its tables, then follows the small stream. */
export function storage(native: Buffer, name = 'Equation Native'): Buffer {
  const minis = Math.ceil(native.length / miniBytes);
  const sectors = Math.max(1, Math.ceil((minis * miniBytes) / sectorBytes));
  const header = Buffer.alloc(sectorBytes);
  header.write('d0cf11e0a1b11ae1', 'hex');
  for (const [at, value] of [
    [26, 3],
    [28, 0xfffe],
    [30, 9],
    [32, 6],
  ] as const)
    header.writeUInt16LE(value, at);
  for (const [at, value] of [
    [44, 1],
    [48, 1],
    [56, 4096],
    [60, 2],
    [64, 1],
    [68, END_OF_CHAIN],
  ] as const)
    header.writeUInt32LE(value, at);
  header.fill(0xff, 76);
  header.writeUInt32LE(0, 76);
  const contents = Array.from({ length: sectors }, (_, index) => (index + 1 === sectors ? END_OF_CHAIN : 4 + index));
  const miniTable = Array.from({ length: minis }, (_, index) => (index + 1 === minis ? END_OF_CHAIN : index + 1));
  const directory = Buffer.concat([
    entry('Root Entry', 5, 3, sectors * sectorBytes),
    entry(name, 2, minis === 0 ? END_OF_CHAIN : 0, native.length),
    Buffer.alloc(256),
  ]);
  const small = Buffer.alloc(sectors * sectorBytes);
  native.copy(small);
  return Buffer.concat([header, numbers([TABLE, END_OF_CHAIN, END_OF_CHAIN, ...contents]), directory, numbers(miniTable), small]);
}

function entry(name: string, type: number, start: number, size: number): Buffer {
  const bytes = Buffer.alloc(128);
  bytes.write(name, 'utf16le');
  bytes.writeUInt16LE(2 * name.length + 2, 64);
  bytes[66] = type;
  bytes.fill(0xff, 68, 80);
  bytes.writeUInt32LE(start, 116);
  bytes.writeUInt32LE(size, 120);
  return bytes;
}

/** Returns one sector of sector numbers. */
function numbers(values: readonly number[]): Buffer {
  const sector = Buffer.alloc(sectorBytes);
  for (let index = 0; index < sectorBytes / 4; index += 1) sector.writeUInt32LE(values[index] ?? FREE, 4 * index);
  return sector;
}

/** Returns the stream of an equation: its header, then MTEF. */
export function equationNative(mtef: Buffer): Buffer {
  const header = Buffer.alloc(28);
  header.writeUInt16LE(28, 0);
  header.writeUInt32LE(0x20000, 2);
  header.writeUInt32LE(mtef.length, 8);
  return Buffer.concat([header, mtef]);
}

type Bytes = readonly (number | Bytes)[];

const flat = (bytes: Bytes): number[] => bytes.flatMap((byte) => (typeof byte === 'number' ? [byte] : flat(byte)));
const word = (value: number): Bytes => [value & 0xff, value >> 8];
const ascii = (text: string): Bytes => [...Buffer.from(`${text}\0`, 'latin1')];
const codes = (text: string): number[] => [...text].map((character) => character.codePointAt(0) as number);

/** Records of version 5. Typefaces: 1 text, 2 function, 3 variable, 6 symbol, 7 vector, 8 number, 24 space; negative for a font. */
export const five = {
  chars: (text: string, typeface = 3, options = 0): Bytes => codes(text).map((code) => [2, options, typeface + 128, word(code)]),
  /** A character with embellishments. */
  embellished: (text: string, ...embellishments: number[]): Bytes => [
    [2, 1, 131, word(text.codePointAt(0) as number)],
    embellishments.map((embellishment) => [6, 0, embellishment]),
    0,
  ],
  line: (...content: Bytes): Bytes => [1, 0, content, 0],
  empty: [1, 1] as Bytes,
  /** `variation` of more than seven bits takes two bytes. */
  template: (selector: number, variation: number, ...slots: Bytes): Bytes => [
    3,
    0,
    selector,
    variation > 0x7f ? [(variation & 0x7f) | 0x80, variation >> 8] : [variation],
    0,
    slots,
    0,
  ],
  pile: (align: number, ...lines: Bytes): Bytes => [4, 0, align, 1, lines, 0],
  matrix: (align: number, rows: number, columns: number, partitions: Bytes, ...cells: Bytes): Bytes => [
    5,
    0,
    1,
    align,
    1,
    rows,
    columns,
    partitions,
    cells,
    0,
  ],
  font: (index: number, name: string, style: number): Bytes => [17, 0, ascii(name), 8, index, style],
  /** Returns the storage of an equation. */
  equation: (records: Bytes, isInline = false): Buffer =>
    storage(
      equationNative(
        Buffer.from(
          flat([5, 1, 0, 6, 0, ascii('DSMT6'), isInline ? 1 : 0, [100, 3, 0, 0, 0], [19, ascii('WinAllBasicCodePages')], records, 0]),
        ),
      ),
    ),
};

/** Records of version 3: the options are in the upper half of the tag. */
export const three = {
  chars: (text: string, typeface = 3, options = 0): Bytes => codes(text).map((code) => [2 | (options << 4), typeface + 128, word(code)]),
  line: (...content: Bytes): Bytes => [1, content, 0],
  empty: [0x11] as Bytes,
  template: (selector: number, variation: number, ...slots: Bytes): Bytes => [3, selector, variation, 0, slots, 0],
  equation: (records: Bytes): Buffer => storage(equationNative(Buffer.from(flat([3, 1, 1, 3, 10, 10, 1, records, 0, 0])))),
};
