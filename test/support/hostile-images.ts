import { randomBytes } from 'node:crypto';
import { crc32, deflateRawSync, deflateSync } from 'node:zlib';
import sharp from 'sharp';
import { isLongForm } from './long-form.ts';

/** Files that may be uploaded as a cover, generated so that the repository contains none of them. */

export const pngSignature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);

/** Returns a PNG chunk with its checksum. */
export function chunk(type: string, data: Buffer = Buffer.alloc(0)): Buffer {
  const named = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const length = Buffer.alloc(4);
  length.writeUInt32BE(data.length);
  const checksum = Buffer.alloc(4);
  checksum.writeUInt32BE(crc32(named));
  return Buffer.concat([length, named, checksum]);
}

/** Returns a PNG of one colour with these dimensions in its header, but only `rows` rows of pixels. */
export function plainPng(width: number, height: number, { rows = height, extra = [] as Buffer[] } = {}): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 0, 0, 0, 0], 8);
  const pixels = deflateSync(Buffer.alloc(rows * (width + 1), 0));
  return Buffer.concat([pngSignature, chunk('IHDR', header), ...extra, chunk('IDAT', pixels), chunk('IEND')]);
}

/** Inserts chunks after the header of a valid PNG. */
export const withChunks = (png: Buffer, chunks: Buffer[]): Buffer => Buffer.concat([png.subarray(0, 33), ...chunks, png.subarray(33)]);

/** Returns compressed text chunks of 4 KB, each of which expands to 4 MB. */
export function textBombs(number: number): Buffer[] {
  const text = deflateSync(Buffer.alloc(4_000_000), { level: 9 });
  const bomb = chunk('zTXt', Buffer.concat([Buffer.from('Comment\0\0', 'latin1'), text]));
  return Array.from({ length: number }, () => bomb);
}

/** Inserts metadata segments after the first two bytes of a JPEG: comments and application data, `bytes` in total. */
export function withJpegMetadata(jpeg: Buffer, secret: string, bytes: number): Buffer {
  const segments: Buffer[] = [];
  for (let left = bytes; left > 0; left -= 60_000) {
    const data = Buffer.alloc(Math.min(left, 60_000), secret);
    const marker = Buffer.from([0xff, segments.length % 2 ? 0xfe : 0xed, 0, 0]);
    marker.writeUInt16BE(data.length + 2, 2);
    segments.push(marker, data);
  }
  return Buffer.concat([jpeg.subarray(0, 2), ...segments, jpeg.subarray(2)]);
}

/** Returns a minimal archive with one HTML page. */
export function zip(): Buffer {
  const name = Buffer.from('index.html');
  const page = Buffer.from('<script>alert(1)</script>');
  const packed = deflateRawSync(page);
  const entry = Buffer.alloc(26);
  entry.writeUInt16LE(20, 0);
  entry.writeUInt16LE(8, 4);
  entry.writeUInt32LE(crc32(page), 10);
  entry.writeUInt32LE(packed.length, 14);
  entry.writeUInt32LE(page.length, 18);
  entry.writeUInt16LE(name.length, 22);
  const local = Buffer.concat([Buffer.from('PK\x03\x04', 'latin1'), entry, name, packed]);
  const central = Buffer.concat([Buffer.from('PK\x01\x02\x14\x00', 'latin1'), entry, Buffer.alloc(14), name]);
  const end = Buffer.alloc(22);
  end.write('PK\x05\x06', 'latin1');
  end.writeUInt16LE(1, 8);
  end.writeUInt16LE(1, 10);
  end.writeUInt32LE(central.length, 12);
  end.writeUInt32LE(local.length, 16);
  return Buffer.concat([local, central, end]);
}

const canvas = (width: number, height: number, channels: 3 | 4 = 3) =>
  sharp({ create: { width, height, channels, background: { r: 190, g: 0, b: 80, alpha: 0.5 } } });

/** An image that does not compress, so that truncation removes visible rows. */
export const noise = (width: number, height: number) => sharp(randomBytes(width * height * 3), { raw: { width, height, channels: 3 } });

/**
 * Images within the limits that need the most memory: progressive, 16 bits, four channels, rotated. The long form adds simpler ones, and a
 * wide one.
 */
export async function heaviest(): Promise<Record<string, Buffer>> {
  const png = { compressionLevel: 1 } as const;
  const jpeg = { chromaSubsampling: '4:4:4', quality: 30 } as const;
  const deep = canvas(1730, 1730, 4).toColourspace('rgb16');
  const print = canvas(1730, 1730).toColourspace('cmyk');
  const pictures = {
    'PNG in several passes, 16 bits, transparent': deep.clone().png({ ...png, progressive: true }),
    'JPEG in several passes, CMYK': print.jpeg({ ...jpeg, progressive: true }),
    'JPEG, turned': canvas(4000, 3000).jpeg(jpeg).withMetadata({ orientation: 6 }),
    ...(isLongForm && {
      'PNG, 16 bits, transparent': deep.clone().png(png),
      'JPEG in several passes': canvas(2300, 1730).jpeg({ ...jpeg, progressive: true }),
      'JPEG, wide': canvas(8000, 1340).jpeg(jpeg),
    }),
  };
  const found: Record<string, Buffer> = {};
  for (const [name, picture] of Object.entries(pictures)) found[name] = await picture.toBuffer();
  return found;
}
