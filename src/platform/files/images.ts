import { ImageError, unreadable } from './image-error.ts';
import { acceptContentUpload, digest, openImage } from './image-source.ts';
import { oneAtATime } from './one-at-a-time.ts';

export { acceptContentUpload, ImageError };

export interface StoredImage {
  src: string;
  width: number;
  height: number;
}

/** Returns whether the bytes are an image that can be decoded completely within the limits. */
export async function isReadableImage(bytes: Buffer): Promise<boolean> {
  return openImage(bytes)
    .stats()
    .then(
      () => true,
      () => false,
    );
}

/** A re-encoded image of a text, not stored yet. */
export interface PreparedContentImage {
  /** Its name in the store; equal bytes have equal names. */
  name: string;
  data: Buffer;
  /** Address and size, as a text shows it. */
  image: StoredImage;
}

/** Re-encodes an image of a text as WebP without metadata, at most 1,200 pixels wide. Stores nothing. @throws ImageError */
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

/** Turns any error of sharp into the message that the image is unreadable. @throws ImageError */
export async function decoded<Result>(image: Promise<Result>): Promise<Result> {
  try {
    return await image;
  } catch (cause) {
    throw unreadable(cause);
  }
}
