import { AppError } from '../../../platform/errors.ts';
import { decodeBmp, isBmp } from '../../../platform/files/bmp.ts';
import { openImage } from '../../../platform/files/image-source.ts';
import { ImageError, type StoredImage } from '../../../platform/files/images.ts';
import { oneAtATime } from '../../../platform/files/one-at-a-time.ts';
import { maxImageBytes } from '../../../shared/forms/catalogue.ts';
import { type DrawnMetafile, drawMetafile, isMetafile } from './metafiles/draw-metafile.ts';
import type { Remarks } from './remarks.ts';

/** Stores the bytes of a picture and returns its address and size. @throws AppError or ImageError when it is refused */
export type StoreImage = (bytes: Buffer) => Promise<StoredImage>;

/** Maximum number of pictures of one document. */
export const maxImages = 40;

/** Time for all Windows drawings of one document, in ms: a third of the time of an import. An ordinary drawing takes 100. */
const drawingMs = 15_000;

/** Width in pixels to which a picture that exceeds the file size limit is reduced. Texts show at most 1,200 pixels. */
const reducedWidth = 1600;

/** Maximum number of pixels of a picture that is reduced: it may be held completely. */
const maxPixels = 40_000_000;
/** The same for a JPEG in one pass, which its decoder scales down row by row: cameras of phones have up to 200 million. */
const maxJpegPixels = 250_000_000;

/** A stored picture, with the width at which it is meant to be shown, in CSS pixels, if its pixels do not say it. */
export type KeptImage = StoredImage & { readonly shownWidth?: number };

/** Stores the pictures of one document: each once, up to `maxImages`. Refused pictures are reported. */
export class ImageIntake {
  readonly #store: StoreImage;
  readonly #remarks: Remarks;
  readonly #kept = new Map<string, KeptImage | null>();

  #drawingMs = 0;
  readonly #mostDrawingMs: number;

  /** @param mostDrawingMs time for all Windows drawings of the document, in ms; further ones are reported */
  constructor(store: StoreImage, remarks: Remarks, mostDrawingMs = drawingMs) {
    this.#mostDrawingMs = mostDrawingMs;
    this.#store = store;
    this.#remarks = remarks;
  }

  /**
   * Stores a picture, or returns null when it is refused.
   * @param key the same for identical pictures
   * @param read returns the bytes; called only for a picture that is stored
   */
  async keep(key: string, read: () => Buffer): Promise<KeptImage | null> {
    const known = this.#kept.get(key);
    if (known !== undefined) return known;
    const image = await this.#take(read);
    this.#kept.set(key, image);
    return image;
  }

  async #draw(bytes: Buffer): Promise<DrawnMetafile | null> {
    if (this.#drawingMs >= this.#mostDrawingMs) return null;
    const start = performance.now();
    const drawn = await drawMetafile(bytes);
    this.#drawingMs += performance.now() - start;
    return drawn;
  }

  /** Returns the bytes of a picture; null, and a remark, when its file is damaged or too large. */
  #bytesOf(read: () => Buffer): Buffer | null {
    try {
      return read();
    } catch (error) {
      if (!(error instanceof AppError) || error.status >= 500) throw error;
      this.#remarks.countOf(
        ['image abîmée ou trop lourde', 'images abîmées ou trop lourdes'],
        ' (60 Mo au plus chacune, 300 Mo en tout) : à ajouter à la main.',
      );
      return null;
    }
  }

  async #take(read: () => Buffer): Promise<KeptImage | null> {
    if (this.#kept.size >= maxImages) {
      this.#remarks.countOf('image', ` au-delà de ${maxImages} : à ajouter à la main.`);
      return null;
    }
    const bytes = this.#bytesOf(read);
    if (!bytes) return null;
    const drawn = isMetafile(bytes) ? await this.#draw(bytes) : undefined;
    if (drawn === null) {
      this.#remarks.countOf('dessin', ' au format EMF ou WMF de Windows, que le site ne sait pas dessiner : à ajouter comme image PNG.');
      return null;
    }
    try {
      if (drawn) return { ...(await this.#store(drawn.png)), shownWidth: drawn.width };
      return await this.#store(bytes.length > maxImageBytes || isTiff(bytes) || isBmp(bytes) ? await reduced(bytes) : bytes);
    } catch (error) {
      if (!(error instanceof ImageError || (error instanceof AppError && error.status < 500))) throw error;
      this.#remarks.countOf(['image refusée', 'images refusées'], ` : ${error.message}`);
      return null;
    }
  }
}

const isTiff = (bytes: Buffer): boolean => /^(?:49492a00|4d4d002a)$/.test(bytes.toString('hex', 0, 4));

/** Returns whether bytes look like a picture that this site can store or convert. */
export const isDrawable = (bytes: Buffer): boolean =>
  /^(?:ffd8ff|89504e47|47494638|424d)/.test(bytes.toString('hex', 0, 4)) ||
  bytes.toString('latin1', 8, 12) === 'WEBP' ||
  isTiff(bytes) ||
  isMetafile(bytes);

/**
 * Returns a smaller version of a picture, as WebP: photographs in documents often have the camera's full size, and browsers show
 * neither TIFF nor BMP.
 */
async function reduced(bytes: Buffer): Promise<Buffer> {
  try {
    return await oneAtATime(async () => {
      const image = isBmp(bytes) ? ofBmp(bytes) : await ofFile(bytes);
      return image.resize({ width: reducedWidth, withoutEnlargement: true }).webp({ quality: 85 }).toBuffer();
    });
  } catch (error) {
    throw error instanceof AppError || error instanceof ImageError ? error : new ImageError("L'image est illisible.", { cause: error });
  }
}

function ofBmp(bytes: Buffer): ReturnType<typeof openImage> {
  const { data, width, height, channels } = decodeBmp(bytes);
  return openImage(data, { raw: { width, height, channels } });
}

/** @throws ImageError when the picture has too many pixels; the error of the library when it is unreadable */
async function ofFile(bytes: Buffer): Promise<ReturnType<typeof openImage>> {
  const { format, isProgressive, width, height } = await openImage(bytes, { limitInputPixels: false }).metadata();
  const most = format === 'jpeg' && !isProgressive ? maxJpegPixels : maxPixels;
  if (width * height <= most) return openImage(bytes, { limitInputPixels: most });
  const millions = Math.round((width * height) / 1_000_000);
  throw new ImageError(`L'image a ${millions} millions de pixels, ${most / 1_000_000} au plus sont lus. Réduisez-la dans le document.`);
}
