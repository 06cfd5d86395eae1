import { ImageError, unreadable } from './image-error.ts';

/** Pixels of a picture, three or four bytes each, row by row from the top. */
interface Pixels {
  readonly data: Buffer;
  readonly width: number;
  readonly height: number;
  readonly channels: 3 | 4;
}

/** Maximum number of pixels: each takes up to four bytes of memory. */
const maxPixels = 21_000_000;

/** Returns whether bytes are a Windows bitmap. */
export const isBmp = (bytes: Buffer): boolean => bytes.toString('latin1', 0, 2) === 'BM';

const unsupported = () => new ImageError("Cette variante du format BMP n'est pas lue. Enregistrez l'image au format PNG ou JPG.");

/**
 * Decodes an uncompressed Windows bitmap of 1, 4, 8, 24 or 32 bits per pixel. sharp reads none, and no maintained library does without a
 * decoder of many other formats.
 * @throws ImageError
 */
export function decodeBmp(bytes: Buffer): Pixels {
  if (bytes.length < 54) throw unreadable();
  const [start, headerSize, width, signedHeight] = [
    bytes.readUInt32LE(10),
    bytes.readUInt32LE(14),
    bytes.readInt32LE(18),
    bytes.readInt32LE(22),
  ];
  const [bits, compression, colors] = [bytes.readUInt16LE(28), bytes.readUInt32LE(30), bytes.readUInt32LE(46)];
  const height = Math.abs(signedHeight);
  if (headerSize < 40 || headerSize > 1_000 || width <= 0 || height === 0) throw unreadable();
  if (width * height > maxPixels) throw new ImageError("L'image est trop grande : 21 millions de pixels au plus.");
  const isMasked = compression === 3 && bits === 32;
  if ((compression !== 0 && !isMasked) || ![1, 4, 8, 24, 32].includes(bits)) throw unsupported();
  if (isMasked && !hasUsualMasks(bytes)) throw unsupported();
  const rowBytes = Math.ceil((width * bits) / 32) * 4;
  if (start < 14 + headerSize || start + rowBytes * height > bytes.length) throw unreadable();
  const palette = bits <= 8 ? bytes.subarray(14 + headerSize, start) : null;
  const known = palette ? Math.min(colors || 2 ** bits, Math.floor(palette.length / 4)) : 0;
  // A fourth byte is transparency only in newer headers, and only if some pixel is visible.
  const hasAlpha = bits === 32 && headerSize >= 56 && bytes.readUInt32LE(66) !== 0;
  const channels = hasAlpha ? 4 : 3;
  const data = Buffer.alloc(width * height * channels);
  for (let y = 0; y < height; y += 1) {
    const row = start + rowBytes * (signedHeight < 0 ? y : height - 1 - y);
    for (let x = 0; x < width; x += 1) {
      const to = (y * width + x) * channels;
      let [source, from] = [bytes, row + x * (bits >> 3)];
      if (palette) {
        const index = ((bytes[row + ((x * bits) >> 3)] ?? 0) >> (8 - bits - ((x * bits) & 7))) & (2 ** bits - 1);
        if (index >= known) continue;
        [source, from] = [palette, index * 4];
      }
      data[to] = source[from + 2] ?? 0;
      data[to + 1] = source[from + 1] ?? 0;
      data[to + 2] = source[from] ?? 0;
      if (hasAlpha) data[to + 3] = source[from + 3] ?? 0;
    }
  }
  return { data, width, height, channels };
}

/** Returns whether the masks say what a picture without masks has: blue, green and red, one byte each. */
const hasUsualMasks = (bytes: Buffer): boolean =>
  bytes.length >= 66 && bytes.readUInt32LE(54) === 0xff0000 && bytes.readUInt32LE(58) === 0xff00 && bytes.readUInt32LE(62) === 0xff;
