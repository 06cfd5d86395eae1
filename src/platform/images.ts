import { createHash } from 'node:crypto';
import sharp, { type Sharp, type SharpOptions } from 'sharp';
import type { FileStore } from './storage.ts';

/** Pixels of a source image, at most: a decompression bomb is refused before it is decoded. */
const maxPixels = 40_000_000;

/** Covers are 16:9; two widths for phones and larger screens, and a JPEG for link previews, which WhatsApp does not show in WebP. */
const coverWidths = [480, 960] as const;
const preview = { width: 1200, height: 630 } as const;

export interface Picture {
  src: string;
  srcset: string;
  width: number;
  height: number;
}

export interface StoredImage {
  src: string;
  width: number;
  height: number;
}

/** An image that cannot be read as one; the message is French. */
export class ImageError extends Error {
  override readonly name = 'ImageError';
}

/** Whether the bytes are an image that can be decoded whole, within the bounds. */
export async function isReadableImage(bytes: Buffer): Promise<boolean> {
  return open(bytes)
    .stats()
    .then(
      () => true,
      () => false,
    );
}

/** Stores a cover under a content-addressed base name, re-encoded without metadata. @throws ImageError */
export async function storeCover(store: FileStore, bytes: Buffer): Promise<string> {
  const base = `covers/${digest(bytes)}`;
  const variants: [string, Sharp][] = coverWidths.map((width) => [
    `${base}-${width}.webp`,
    open(bytes)
      .resize({ width, height: (width * 9) / 16, fit: 'cover' })
      .webp({ quality: 72 }),
  ]);
  variants.push([
    `${base}-og.jpg`,
    open(bytes)
      .resize({ ...preview, fit: 'cover' })
      .flatten({ background: '#ffffff' })
      .jpeg({ quality: 78, mozjpeg: true }),
  ]);
  await Promise.all(
    variants.map(async ([name, image]) => {
      if (!(await store.has(name))) await store.write(name, await encode(image));
    }),
  );
  return base;
}

/** Stores an image of a text as WebP, at most 1,200 pixels wide. @throws ImageError */
export async function storeContentImage(store: FileStore, bytes: Buffer): Promise<StoredImage> {
  const name = `content/${digest(bytes)}.webp`;
  const image = open(bytes, { animated: true }).resize({ width: 1200, withoutEnlargement: true }).webp({ quality: 80 });
  try {
    const { data, info } = await image.toBuffer({ resolveWithObject: true });
    if (!(await store.has(name))) await store.write(name, data);
    return { src: `/media/${name}`, width: info.width, height: info.pageHeight ?? info.height };
  } catch (cause) {
    throw new ImageError("L'image est illisible.", { cause });
  }
}

/** How pages show a stored cover. */
export function coverPicture(base: string | null): Picture | null {
  if (!base) return null;
  const [small, large] = coverWidths;
  return {
    src: coverUrl(base),
    srcset: `/media/${base}-${small}.webp ${small}w, /media/${base}-${large}.webp ${large}w`,
    width: large,
    height: (large * 9) / 16,
  };
}

export const coverUrl = (base: string): string => `/media/${base}-960.webp`;

/** The picture of a shared link: JPEG, 1,200 × 630. */
export function coverPreview(base: string, origin: string) {
  return { image: `${origin}/media/${base}-og.jpg`, ...preview };
}

const digest = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex').slice(0, 32);

function open(bytes: Buffer, options: SharpOptions = {}): Sharp {
  // sharp refuses this one before there is anything to decode.
  if (bytes.length === 0) throw new ImageError("L'image est illisible.");
  return sharp(bytes, { limitInputPixels: maxPixels, failOn: 'error', ...options }).rotate();
}

async function encode(image: Sharp): Promise<Buffer> {
  try {
    return await image.toBuffer();
  } catch (cause) {
    throw new ImageError("L'image est illisible.", { cause });
  }
}
