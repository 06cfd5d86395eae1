import { unreadable } from './image-error.ts';

const signatureBytes = 8;
/** Bytes of length, type and checksum around a chunk's data. */
const frameBytes = 12;
/** Ancillary chunks that are kept, once each: transparency, colours, orientation. */
const keptOnce = new Set(['tRNS', 'iCCP', 'sRGB', 'gAMA', 'cHRM', 'eXIf']);

/**
 * Returns a PNG with only the chunks needed for drawing. Its text chunks are compressed: two megabytes of them would expand to two thousand
 * while the header is read.
 * @throws ImageError when the file is truncated
 */
export function pixelsOnly(png: Buffer): Buffer {
  const kept = [png.subarray(0, signatureBytes)];
  const seen = new Set<string>();
  let position = signatureBytes;
  for (;;) {
    if (position + frameBytes > png.length) throw unreadable();
    const end = position + frameBytes + png.readUInt32BE(position);
    if (end > png.length) throw unreadable();
    const type = png.toString('latin1', position + 4, position + 8);
    if (isCritical(type) || (keptOnce.has(type) && !seen.has(type))) kept.push(png.subarray(position, end));
    seen.add(type);
    position = end;
    // Bytes after IEND, for instance a second file, are not part of the picture.
    if (type === 'IEND') return Buffer.concat(kept);
  }
}

/** Returns whether a decoder must know the chunk to draw the picture: the first letter of its type is a capital. */
const isCritical = (type: string): boolean => /^[A-Z]/.test(type);
