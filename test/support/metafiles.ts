/** Drawings in EMF and WMF, as Windows programs write them: a triangle with its labels. */

const int32 = (...values: number[]): Buffer => {
  const bytes = Buffer.alloc(4 * values.length);
  for (const [index, value] of values.entries()) bytes.writeInt32LE(value | 0, 4 * index);
  return bytes;
};
const int16 = (...values: number[]): Buffer => {
  const bytes = Buffer.alloc(2 * values.length);
  for (const [index, value] of values.entries()) bytes.writeInt16LE((value << 16) >> 16, 2 * index);
  return bytes;
};
const padded = (bytes: Buffer): Buffer => Buffer.concat([bytes, Buffer.alloc((4 - (bytes.length % 4)) % 4)]);

interface Label {
  readonly text: string;
  readonly x: number;
  readonly y: number;
}

/** Returns an EMF of 400 by 300 device units. @param font face of the labels */
export function emf(labels: readonly Label[] = [], font = 'Arial'): Buffer {
  const record = (type: number, body: Buffer): Buffer => Buffer.concat([int32(type, 8 + padded(body).length), padded(body)]);
  const face = Buffer.alloc(64);
  face.write(font, 'utf16le');
  const logicalFont = Buffer.concat([int32(-24, 0, 0, 0, 400), Buffer.from([0, 0, 0, font === 'Symbol' ? 2 : 0, 0, 0, 0, 0]), face]);
  const written = labels.map(({ text, x, y }) => {
    const string = Buffer.from(text, 'utf16le');
    const start = 76;
    const widths = int32(...[...text].map(() => 14));
    return record(
      84,
      Buffer.concat([
        int32(0, 0, -1, -1, 1, 0, 0),
        int32(x, y, text.length, start, 0, 0, 0, -1, -1, start + padded(string).length),
        padded(string),
        widths,
      ]),
    );
  });
  const records = [
    record(95, Buffer.concat([int32(1, 0, 0, 0, 0), int32(0x10000, 3, 0, 0x000000ff, 0, 0)])),
    record(37, int32(1)),
    record(27, int32(40, 260)),
    record(54, int32(360, 260)),
    record(54, int32(200, 40)),
    record(54, int32(40, 260)),
    record(82, Buffer.concat([int32(2), logicalFont, Buffer.alloc(228)])),
    record(37, int32(2)),
    record(18, int32(1)),
    ...written,
    record(14, int32(0, 16, 20)),
  ];
  const body = Buffer.concat(records);
  const header = Buffer.concat([
    int32(1, 108, 0, 0, 399, 299, 0, 0, 10_583, 7_937),
    Buffer.from(' EMF', 'latin1'),
    int32(0x10000, 108 + body.length, records.length + 1),
    int16(3, 0),
    int32(0, 0, 0, 1024, 768, 271, 203, 0, 0, 0, 271_000, 203_000),
  ]);
  return Buffer.concat([header, body]);
}

/** Returns a placeable WMF of 400 by 300 units at 96 units an inch. */
export function wmf(labels: readonly Label[] = [], font = 'Arial'): Buffer {
  const record = (type: number, body: Buffer): Buffer => Buffer.concat([int32(3 + body.length / 2), int16(type), body]);
  const face = Buffer.from(`${font}\0`.padEnd(32, '\0'), 'latin1');
  const records = [
    record(0x0103, int16(8)),
    record(0x020b, int16(0, 0)),
    record(0x020c, int16(300, 400)),
    record(0x02fa, Buffer.concat([int16(0, 3, 0), int32(0x000000ff)])),
    record(0x012d, int16(0)),
    record(0x0214, int16(260, 40)),
    record(0x0213, int16(260, 360)),
    record(0x0213, int16(40, 200)),
    record(0x0213, int16(260, 40)),
    record(0x02fb, Buffer.concat([int16(-24, 0, 0, 0, 400), Buffer.from([0, 0, 0, font === 'Symbol' ? 2 : 0, 0, 0, 0, 0]), face])),
    record(0x012d, int16(1)),
    record(0x0102, int16(1)),
    ...labels.map(({ text, x, y }) => {
      const string = Buffer.from(text, 'latin1');
      return record(0x0521, Buffer.concat([int16(string.length), string, Buffer.alloc(string.length % 2), int16(y, x)]));
    }),
    record(0, Buffer.alloc(0)),
  ];
  const body = Buffer.concat(records);
  const largest = Math.max(...records.map(({ length }) => length / 2));
  const header = Buffer.concat([int16(1, 9, 0x0300), int32((18 + body.length) / 2), int16(2), int32(largest), int16(0)]);
  const placed = Buffer.concat([int32(0x9ac6cdd7), int16(0, 0, 0, 400, 300, 96), int32(0)]);
  let sum = 0;
  for (let at = 0; at < 20; at += 2) sum ^= placed.readUInt16LE(at);
  return Buffer.concat([placed, int16(sum), header, body]);
}
