import { imageLibrary } from '../../../platform/files/image-library.ts';
import { acceptUpload, digest, openImage } from '../../../platform/files/image-source.ts';
import { decoded, ImageError } from '../../../platform/files/images.ts';
import { oneAtATime } from '../../../platform/files/one-at-a-time.ts';
import type { FileStore } from '../../../platform/files/storage.ts';

/** Widths of covers (16:9), for phones and larger screens. The JPEG is for link previews, since WhatsApp does not show WebP. */
const coverWidths = [480, 960] as const;
const preview = { width: 1200, height: 630 } as const;
/** Size of the intermediate picture from which a cover's files are made: 16:9, as wide as the widest of them. */
const master = { width: 1200, height: 675 } as const;

/** The re-encoded files of a cover, not stored yet. */
export interface PreparedCover {
  /** Base name stored in rows, such as `covers/3f…`; the same for identical uploads. */
  base: string;
  files: [name: string, bytes: Buffer][];
}

/** Returns the reason for which a readable image is refused as a cover, in French; null when it is accepted. */
export const coverFault = (bytes: Buffer): Promise<string | null> => acceptUpload(bytes).then(() => null, imageFault);

/** Returns the message of an image error, in French. @throws every other error */
export function imageFault(error: unknown): string {
  if (error instanceof ImageError) return error.message;
  throw error;
}

/**
 * Validates an uploaded cover and re-encodes it without metadata. Stores nothing.
 * @throws ImageError
 */
export async function prepareCover(bytes: Buffer): Promise<PreparedCover> {
  const base = coverBase(bytes);
  const files = await oneAtATime(async () => encodeCover(base, await acceptUpload(bytes)));
  return { base, files };
}

/** Stores a prepared cover. Existing files have the same content and are kept. */
export async function storePrepared(store: FileStore, { files }: PreparedCover): Promise<void> {
  for (const [name, bytes] of files) {
    if (!(await store.has(name))) await store.write(name, bytes);
  }
}

/** Stores a cover unless it exists already, and returns its base name. @throws ImageError */
export async function storeCover(store: FileStore, bytes: Buffer): Promise<string> {
  const base = coverBase(bytes);
  const present = await Promise.all(coverFiles(base).map((name) => store.has(name)));
  if (!present.every(Boolean)) await storePrepared(store, await prepareCover(bytes));
  return base;
}

/** Returns the picture's attributes for pages; null without a cover. */
export function coverPicture(base: string | null) {
  if (!base) return null;
  const [small, large] = coverWidths;
  return {
    src: coverUrl(base),
    srcset: `/media/${widthFile(base, small)} ${small}w, /media/${widthFile(base, large)} ${large}w`,
    width: large,
    height: (large * 9) / 16,
  };
}

/** Returns the address of the larger picture. */
export const coverUrl = (base: string): string => `/media/${widthFile(base, 960)}`;

/** Returns the picture of a link preview: JPEG, 1,200 × 630. */
export function coverPreview(base: string, origin: string) {
  return { image: `${origin}/media/${previewFile(base)}`, ...preview };
}

/** Returns the names of all files of a cover, for removing them. */
export const coverFiles = (base: string): string[] => [...coverWidths.map((width) => widthFile(base, width)), previewFile(base)];

const coverBase = (bytes: Buffer): string => `covers/${digest(bytes)}`;
const widthFile = (base: string, width: (typeof coverWidths)[number]): string => `${base}-${width}.webp`;
const previewFile = (base: string): string => `${base}-og.jpg`;

/** Decodes the source once, which costs most memory and time, and makes each file from the reduced picture. */
async function encodeCover(base: string, bytes: Buffer): Promise<[string, Buffer][]> {
  const { data, info } = await decoded(
    openImage(bytes)
      .resize({ ...master, fit: 'cover' })
      .raw()
      .toBuffer({ resolveWithObject: true }),
  );
  const draw = () => imageLibrary()(data, { raw: info });
  const files: [string, Buffer][] = [];
  for (const width of coverWidths) {
    const image = draw()
      .resize({ width, height: (width * 9) / 16 })
      .webp({ quality: 72 });
    files.push([widthFile(base, width), await image.toBuffer()]);
  }
  const shared = draw()
    .resize({ ...preview, fit: 'cover' })
    .flatten({ background: '#ffffff' })
    .jpeg({ quality: 78, mozjpeg: true });
  files.push([previewFile(base), await shared.toBuffer()]);
  // Free the buffer now: to the garbage collector it looks small, so megabytes would accumulate.
  (data.buffer as ArrayBuffer).transfer(0);
  return files;
}
