import { imageLibrary } from '../../../platform/files/image-library.ts';
import { acceptUpload, digest, openImage } from '../../../platform/files/image-source.ts';
import { decoded, ImageError } from '../../../platform/files/images.ts';
import { oneAtATime } from '../../../platform/files/one-at-a-time.ts';
import type { FileStore } from '../../../platform/files/storage.ts';

/** Covers are 16:9; two widths for phones and larger screens, and a JPEG for link previews, which WhatsApp does not show in WebP. */
const coverWidths = [480, 960] as const;
const preview = { width: 1200, height: 630 } as const;
/** What a cover's files are made from: 16:9, as wide as the widest. */
const master = { width: 1200, height: 675 } as const;

/** A cover's files, re-encoded and not stored yet. */
export interface PreparedCover {
  /** What rows remember, e.g. `covers/3f…`: the same for the same upload. */
  base: string;
  files: [name: string, bytes: Buffer][];
}

/** Why a readable image would be refused as a cover, in French; null: it would not. */
export const coverFault = (bytes: Buffer): Promise<string | null> => acceptUpload(bytes).then(() => null, imageFault);

/** What is wrong with an image, in French. @throws whatever else has happened */
export function imageFault(error: unknown): string {
  if (error instanceof ImageError) return error.message;
  throw error;
}

/**
 * Judges an uploaded cover, decodes it whole and re-encodes it without metadata. Nothing is stored.
 * @throws ImageError
 */
export async function prepareCover(bytes: Buffer): Promise<PreparedCover> {
  const base = coverBase(bytes);
  const files = await oneAtATime(async () => encodeCover(base, await acceptUpload(bytes)));
  return { base, files };
}

/** Stores a prepared cover; what stands there already is the same. */
export async function storePrepared(store: FileStore, { files }: PreparedCover): Promise<void> {
  for (const [name, bytes] of files) {
    if (!(await store.has(name))) await store.write(name, bytes);
  }
}

/** Stores a cover, unless it is there already, and returns its base name. @throws ImageError */
export async function storeCover(store: FileStore, bytes: Buffer): Promise<string> {
  const base = coverBase(bytes);
  const present = await Promise.all(coverFiles(base).map((name) => store.has(name)));
  if (!present.every(Boolean)) await storePrepared(store, await prepareCover(bytes));
  return base;
}

/** How pages show a stored cover. */
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

/** Its larger picture. */
export const coverUrl = (base: string): string => `/media/${widthFile(base, 960)}`;

/** The picture of a shared link: JPEG, 1,200 × 630. */
export function coverPreview(base: string, origin: string) {
  return { image: `${origin}/media/${previewFile(base)}`, ...preview };
}

/** All that is stored of a cover: the names to remove with it. */
export const coverFiles = (base: string): string[] => [...coverWidths.map((width) => widthFile(base, width)), previewFile(base)];

const coverBase = (bytes: Buffer): string => `covers/${digest(bytes)}`;
const widthFile = (base: string, width: (typeof coverWidths)[number]): string => `${base}-${width}.webp`;
const previewFile = (base: string): string => `${base}-og.jpg`;

/** Decodes the source once, which is what takes memory and time, and makes each file from the small picture that remains. */
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
  // Given back now: the collector sees a small object here, and lets megabytes of them gather.
  (data.buffer as ArrayBuffer).transfer(0);
  return files;
}
