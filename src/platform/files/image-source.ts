import { createHash } from 'node:crypto';
import type { Metadata, Sharp, SharpOptions } from 'sharp';
import { maxImageBytes } from '../../shared/forms/catalogue.ts';
import { ImageError, unreadable } from './image-error.ts';
import { imageLibrary } from './image-library.ts';
import { pixelsOnly } from './png.ts';

/** Maximum number of pixels of a source image: a decompression bomb is refused before it is decoded. */
const maxPixels = 40_000_000;
/** Maximum width or height of an upload, in pixels: a decoder's memory per row grows with the width. */
const maxSide = 8000;
/**
 * Maximum memory for decoding an upload, in bytes. Usually pictures are decoded row by row; a picture with several passes, or one that must
 * be rotated, is held completely. Measured: with all other memory, the largest accepted picture stays below 100 MB above idle.
 */
const maxHeldBytes = 24_000_000;
/** Maximum number of rows of a PNG in memory while it is scaled down; measured. */
const heldRows = 2000;
/** Maximum number of pixels of all frames of an animated picture together. Measured: each takes up to 4 bytes while scaling. */
const maxMovingPixels = 24_000_000;
/** Bytes per pixel of a GIF, which is decoded completely; measured. */
const gifBytes = 6;
/** Time limit for one picture, in seconds. */
const maxSeconds = 20;

const jpegSignature = Buffer.from([0xff, 0xd8, 0xff]);
const pngSignature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);

type Format = 'jpeg' | 'png' | 'gif' | 'webp';

function formatOf(bytes: Buffer): Format | null {
  if (bytes.subarray(0, 3).equals(jpegSignature)) return 'jpeg';
  if (bytes.subarray(0, 8).equals(pngSignature)) return 'png';
  const start = bytes.toString('latin1', 0, 12);
  if (/^GIF8[79]a/.test(start)) return 'gif';
  return /^RIFF.{4}WEBP$/s.test(start) ? 'webp' : null;
}

export const tooHeavy = "L'image dépasse 2 Mo.";

/**
 * Returns a content-addressed name. It is computed from the uploaded bytes, so that a repeated upload is recognised without decoding it.
 */
export const digest = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex').slice(0, 32);

/** Returns an image ready for decoding, rotated upright. @throws ImageError */
export function openImage(bytes: Buffer, options: SharpOptions = {}): Sharp {
  // sharp throws an error of its own for empty input, before decoding.
  if (bytes.length === 0) throw unreadable();
  return imageLibrary()(bytes, { limitInputPixels: maxPixels, failOn: 'error', ...options })
    .timeout({ seconds: maxSeconds })
    .rotate();
}

/**
 * Checks an upload by its bytes, never by its name or declared type: size, format, then the dimensions in the header. Decodes nothing.
 * @returns the bytes to decode
 * @throws ImageError
 */
export async function acceptUpload(bytes: Buffer): Promise<Buffer> {
  return accept(bytes, ['jpeg', 'png'], "L'image doit être au format JPG ou PNG.");
}

/** Does the same for an image in a text, which may also be a GIF or WebP, possibly animated. @throws ImageError */
export async function acceptContentUpload(bytes: Buffer): Promise<Buffer> {
  return accept(bytes, ['jpeg', 'png', 'gif', 'webp'], "L'image doit être au format JPG, PNG, GIF ou WebP.");
}

async function accept(bytes: Buffer, formats: readonly Format[], otherFormat: string): Promise<Buffer> {
  if (bytes.length > maxImageBytes) throw new ImageError(tooHeavy);
  const format = formatOf(bytes);
  if (!format || !formats.includes(format)) throw new ImageError(otherFormat);
  const pixels = format === 'png' ? pixelsOnly(bytes) : bytes;
  const header = await readHeader(pixels);
  if (header.format !== format) throw unreadable();
  refuseLarge(header);
  return pixels;
}

async function readHeader(bytes: Buffer): Promise<Metadata> {
  try {
    return await imageLibrary()(bytes, { limitInputPixels: false }).metadata();
  } catch (cause) {
    throw unreadable(cause);
  }
}

function refuseLarge(header: Metadata): void {
  const { width, height } = header;
  const scale = Math.min(1, maxSide / Math.max(width, height), Math.sqrt(maxPixels / (width * height)), heldScale(header));
  if (scale === 1) return;
  const most = (side: number) => count(side * scale < 200 ? Math.max(1, Math.floor(side * scale)) : Math.floor((side * scale) / 100) * 100);
  throw new ImageError(
    `L'image est trop grande : ${count(width)} × ${count(height)} pixels. Réduisez-la à ${most(width)} × ${most(height)} au plus.`,
  );
}

/** Returns the factor for both sides that keeps the memory for decoding within its limit. */
function heldScale({ format, width, height, isProgressive, channels, depth, orientation = 1, pages = 1 }: Metadata): number {
  if (pages > 1 && pages * width * height > maxMovingPixels) return Math.sqrt(maxMovingPixels / (pages * width * height));
  if (format === 'gif') return Math.sqrt(maxHeldBytes / (gifBytes * width * height));
  const decoded = channels * (depth === 'ushort' ? 2 : 1);
  // The decoder itself scales a large JPEG down to half its width and height, or less.
  const halved = format === 'jpeg' && Math.min(width, height) >= 2400;
  const turned = orientation > 1 ? decoded / (halved ? 4 : 1) : 0;
  // A progressive JPEG is held as coefficients of two bytes, an interlaced PNG as pixels.
  const passes = isProgressive ? (format === 'jpeg' ? channels * 2 : decoded) : 0;
  const whole = Math.sqrt(maxHeldBytes / ((passes + turned) * width * height));
  // A JPEG is scaled down while it is decoded; for a PNG this many rows are held.
  const rows = format === 'png' ? maxHeldBytes / (decoded * width * Math.min(height, heldRows)) : Infinity;
  return Math.min(whole, rows);
}

/** Returns '30 000', with ordinary spaces like all texts of the site. */
const count = (value: number): string => value.toLocaleString('fr').replaceAll(/\s/g, ' ');
