import { createHash } from 'node:crypto';
import type { Metadata, Sharp, SharpOptions } from 'sharp';
import { maxImageBytes } from '../../shared/forms/catalogue.ts';
import { ImageError, unreadable } from './image-error.ts';
import { imageLibrary } from './image-library.ts';
import { pixelsOnly } from './png.ts';

/** Pixels of a source image, at most: a decompression bomb is refused before it is decoded. */
const maxPixels = 40_000_000;
/** Pixels of one side of an upload, at most: what a decoder holds of a row grows with it. */
const maxSide = 8000;
/**
 * Bytes that decoding an upload may hold at once, at most. Most pictures stream through in rows; one whose rows come in several passes, or which
 * has to be turned, is held whole. Measured: with what else it takes, the worst that this lets through stays below 100 MB above idle.
 */
const maxHeldBytes = 24_000_000;
/** Rows of a PNG that are held while it is made smaller, at most; measured. */
const heldRows = 2000;
/** Pixels of all frames of a picture that moves, at most; measured: they take up to 4 bytes each while they are made smaller. */
const maxMovingPixels = 24_000_000;
/** Bytes that a pixel of a GIF takes while it is decoded, which is done whole; measured. */
const gifBytes = 6;
/** Seconds of work on one picture, at most. */
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

/** A content-addressed name: of what was sent, so that sending it again is recognised before it is decoded. */
export const digest = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex').slice(0, 32);

/** An image ready to be decoded, upright. @throws ImageError */
export function openImage(bytes: Buffer, options: SharpOptions = {}): Sharp {
  // sharp refuses this one before there is anything to decode.
  if (bytes.length === 0) throw unreadable();
  return imageLibrary()(bytes, { limitInputPixels: maxPixels, failOn: 'error', ...options })
    .timeout({ seconds: maxSeconds })
    .rotate();
}

/**
 * The bytes of an upload that are to be decoded, judged by themselves: neither its name nor its declared type counts.
 * Size, format, then the dimensions that the header announces; nothing is decoded yet.
 * @throws ImageError
 */
export async function acceptUpload(bytes: Buffer): Promise<Buffer> {
  return accept(bytes, ['jpeg', 'png'], "L'image doit être au format JPG ou PNG.");
}

/** The same for an image of a text, which may also be a GIF or a WebP and may move. @throws ImageError */
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

/** By how much both sides are to be multiplied so that what is held while decoding stays within its bound. */
function heldScale({ format, width, height, isProgressive, channels, depth, orientation = 1, pages = 1 }: Metadata): number {
  if (pages > 1 && pages * width * height > maxMovingPixels) return Math.sqrt(maxMovingPixels / (pages * width * height));
  if (format === 'gif') return Math.sqrt(maxHeldBytes / (gifBytes * width * height));
  const decoded = channels * (depth === 'ushort' ? 2 : 1);
  // A large JPEG leaves the decoder at half its width and height, or less.
  const halved = format === 'jpeg' && Math.min(width, height) >= 2400;
  const turned = orientation > 1 ? decoded / (halved ? 4 : 1) : 0;
  // A JPEG in several passes is held as coefficients of two bytes, a PNG as it is.
  const passes = isProgressive ? (format === 'jpeg' ? channels * 2 : decoded) : 0;
  const whole = Math.sqrt(maxHeldBytes / ((passes + turned) * width * height));
  // A JPEG is made smaller while it is decoded; of a PNG this many rows are held for that.
  const rows = format === 'png' ? maxHeldBytes / (decoded * width * Math.min(height, heldRows)) : Infinity;
  return Math.min(whole, rows);
}

/** '30 000', with ordinary spaces as in all texts of the site. */
const count = (value: number): string => value.toLocaleString('fr').replaceAll(/\s/g, ' ');
