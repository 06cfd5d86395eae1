import { lightPicture } from './light-picture.ts';

/** Largest file that is read to be reduced, in bytes. */
export const maxReducedFile = 60 * 1024 * 1024;
/** Maximum height of an upload, in pixels (src/platform/files/image-source.ts). */
const maxHeight = 8000;
const quality = 0.9;

/** What the page shows of a picture, and what the server takes. */
export interface PictureNeed {
  /** Width beyond which the server reduces a picture, in pixels. */
  readonly maxWidth: number;
  /** Height below which a picture is not reduced, in pixels. */
  readonly minHeight?: number;
  readonly takesWebp: boolean;
}

/** Pictures of texts (src/platform/files/images.ts). */
export const textPicture: PictureNeed = { maxWidth: 1200, takesWebp: true };
/** Covers (src/modules/catalogue/covers/cover-images.ts): cut to 1,200 × 675. */
export const coverPicture: PictureNeed = { maxWidth: 1200, minHeight: 675, takesWebp: false };

/**
 * Returns a smaller version of a picture, upright, or the file itself: if it is light, animated, drawn in SVG, or larger than
 * `maxReducedFile`, if this browser cannot read it, or if the result would not be smaller.
 */
export async function reducedPicture(file: File, need: PictureNeed): Promise<File> {
  if (file.size <= lightPicture || file.size > maxReducedFile) return file;
  try {
    if (await isKeptWhole(file)) return file;
    const bitmap = await scaled(await createImageBitmap(file, { imageOrientation: 'from-image' }), need);
    const blob = await encoded(bitmap, need);
    if (!blob || blob.size >= file.size) return file;
    const extension = blob.type.replace('image/', '').replace('jpeg', 'jpg');
    return new File([blob], `${file.name.replace(/\.[^.]*$/, '')}.${extension}`, { type: blob.type });
  } catch {
    // The browser does not know the format, or has no memory for it.
    return file;
  }
}

/** Returns whether a picture would lose something: GIF, SVG, and animated WebP and PNG. */
async function isKeptWhole(file: File): Promise<boolean> {
  const start = new TextDecoder('latin1').decode(await file.slice(0, 4096).arrayBuffer());
  if (/^GIF8/.test(start) || /^\s*(?:\xef\xbb\xbf)?\s*</.test(start)) return true;
  // The second bit of the flags of a WebP says that it is animated; an animated PNG has a chunk 'acTL' before its pixels.
  if (/^RIFF.{4}WEBPVP8X/s.test(start)) return (start.charCodeAt(20) & 2) !== 0;
  return start.startsWith('\x89PNG') && start.includes('acTL');
}

async function scaled(bitmap: ImageBitmap, { maxWidth, minHeight = 1 }: PictureNeed): Promise<ImageBitmap> {
  const { width, height } = bitmap;
  const factor = Math.min(1, Math.max(maxWidth / width, minHeight / height), maxHeight / height);
  if (factor === 1) return bitmap;
  const resizeWidth = Math.max(1, Math.round(width * factor));
  const resizeHeight = Math.max(1, Math.round(height * factor));
  const small = await createImageBitmap(bitmap, { resizeWidth, resizeHeight, resizeQuality: 'high' });
  bitmap.close();
  return small;
}

async function encoded(bitmap: ImageBitmap, { takesWebp }: PictureNeed): Promise<Blob | null> {
  const canvas = document.createElement('canvas');
  canvas.width = bitmap.width;
  canvas.height = bitmap.height;
  const context = canvas.getContext('2d');
  context?.drawImage(bitmap, 0, 0);
  bitmap.close();
  if (!context) return null;
  const as = (type: string) => new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, type, quality));
  const webp = takesWebp ? await as('image/webp') : null;
  // Browsers that cannot encode WebP produce PNG.
  if (webp?.type === 'image/webp') return webp;
  return isOpaque(context) ? as('image/jpeg') : as('image/png');
}

function isOpaque(context: CanvasRenderingContext2D): boolean {
  const { data } = context.getImageData(0, 0, context.canvas.width, context.canvas.height);
  for (let alpha = 3; alpha < data.length; alpha += 4) if (data[alpha] !== 255) return false;
  return true;
}
