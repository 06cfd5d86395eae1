import { unreadable } from './image-error.ts';

const signatureBytes = 8;
/** Length, type and checksum around a chunk's data, in bytes. */
const frameBytes = 12;
/** What may stand beside the picture itself, once each: transparency, colours, and which side is up. */
const keptOnce = new Set(['tRNS', 'iCCP', 'sRGB', 'gAMA', 'cHRM', 'eXIf']);

/**
 * A PNG without what is not needed to draw it. Its texts are compressed: left in, two megabytes of them would unfold into two thousand while the
 * header is read.
 * @throws ImageError when it ends too early
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
    // Whatever follows, a second file for instance, is none of the picture.
    if (type === 'IEND') return Buffer.concat(kept);
  }
}

/** A capital first letter: a decoder that does not know the chunk cannot draw the picture. */
const isCritical = (type: string): boolean => /^[A-Z]/.test(type);
