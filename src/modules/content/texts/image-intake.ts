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

  async #take(read: () => Buffer): Promise<KeptImage | null> {
    if (this.#kept.size >= maxImages) {
      this.#remarks.countOf('image', ` au-delà de ${maxImages} : à ajouter à la main.`);
      return null;
    }
    const bytes = read();
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
    return await oneAtATime(() => opened(bytes).resize({ width: reducedWidth, withoutEnlargement: true }).webp({ quality: 85 }).toBuffer());
  } catch (error) {
    throw error instanceof AppError || error instanceof ImageError ? error : new ImageError("L'image est illisible.", { cause: error });
  }
}

function opened(bytes: Buffer): ReturnType<typeof openImage> {
  if (!isBmp(bytes)) return openImage(bytes);
  const { data, width, height, channels } = decodeBmp(bytes);
  return openImage(data, { raw: { width, height, channels } });
}
