import { ImageError, unreadable } from './image-error.ts';
import { acceptContentUpload, digest, openImage } from './image-source.ts';
import { oneAtATime } from './one-at-a-time.ts';

export { acceptContentUpload, ImageError };

export interface StoredImage {
  src: string;
  width: number;
  height: number;
}

/** Whether the bytes are an image that can be decoded whole, within the bounds. */
export async function isReadableImage(bytes: Buffer): Promise<boolean> {
  return openImage(bytes)
    .stats()
    .then(
      () => true,
      () => false,
    );
}

/** An image of a text, re-encoded and not stored yet. */
export interface PreparedContentImage {
  /** Its name in the store: the same for the same bytes. */
  name: string;
  data: Buffer;
  /** How a text shows it. */
  image: StoredImage;
}

/** Re-encodes an image of a text as WebP without metadata, at most 1,200 pixels wide. Nothing is stored. @throws ImageError */
export async function prepareContentImage(bytes: Buffer): Promise<PreparedContentImage> {
  const name = `content/${digest(bytes)}.webp`;
  const { data, info } = await oneAtATime(() =>
    decoded(
      openImage(bytes, { animated: true })
        .resize({ width: 1200, withoutEnlargement: true })
        .webp({ quality: 80 })
        .toBuffer({ resolveWithObject: true }),
    ),
  );
  return { name, data, image: { src: `/media/${name}`, width: info.width, height: info.pageHeight ?? info.height } };
}

/** What sharp cannot decode is unreadable to whoever has sent it. @throws ImageError */
export async function decoded<Result>(image: Promise<Result>): Promise<Result> {
  try {
    return await image;
  } catch (cause) {
    throw unreadable(cause);
  }
}
