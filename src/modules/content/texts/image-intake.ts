import { AppError } from '../../../platform/errors.ts';
import { openImage } from '../../../platform/files/image-source.ts';
import { ImageError, type StoredImage } from '../../../platform/files/images.ts';
import { oneAtATime } from '../../../platform/files/one-at-a-time.ts';
import { maxImageBytes } from '../../../shared/forms/catalogue.ts';
import type { Remarks } from './remarks.ts';

/** Takes the bytes of a picture in, and says where it stands from now on. @throws AppError or ImageError when it is refused */
export type StoreImage = (bytes: Buffer) => Promise<StoredImage>;

/** Pictures of one document, at most. */
export const maxImages = 40;

/** Pixels of a picture's width after it has been made smaller because it was too heavy: texts show 1,200. */
const reducedWidth = 1600;

const EMF = Buffer.from(' EMF', 'latin1');

/** The pictures of one document on their way into the store: each once, not too many, and what is refused is named. */
export class ImageIntake {
  readonly #store: StoreImage;
  readonly #remarks: Remarks;
  readonly #kept = new Map<string, StoredImage | null>();

  constructor(store: StoreImage, remarks: Remarks) {
    this.#store = store;
    this.#remarks = remarks;
  }

  /** @param key the same for the same picture */
  async keep(key: string, bytes: Buffer): Promise<StoredImage | null> {
    const known = this.#kept.get(key);
    if (known !== undefined) return known;
    const image = await this.#take(bytes);
    this.#kept.set(key, image);
    return image;
  }

  async #take(bytes: Buffer): Promise<StoredImage | null> {
    if (this.#kept.size >= maxImages) {
      this.#remarks.countOf('image', ` au-delà de ${maxImages} : à ajouter à la main.`);
      return null;
    }
    if (isMetafile(bytes)) {
      this.#remarks.countOf('dessin', ' au format EMF ou WMF de Windows : à ajouter comme image PNG.');
      return null;
    }
    try {
      return await this.#store(bytes.length > maxImageBytes ? await reduced(bytes) : bytes);
    } catch (error) {
      if (!(error instanceof ImageError || (error instanceof AppError && error.status < 500))) throw error;
      this.#remarks.countOf(['image refusée', 'images refusées'], ` : ${error.message}`);
      return null;
    }
  }
}

function isMetafile(bytes: Buffer): boolean {
  const isPlaceableWmf = bytes.length > 4 && bytes.readUInt32LE(0) === 0x9ac6cdd7;
  const isWmf = bytes.length > 4 && (bytes[0] === 1 || bytes[0] === 2) && bytes.readUInt16LE(2) === 9;
  return isPlaceableWmf || isWmf || bytes.subarray(40, 44).equals(EMF);
}

/** Photographs in documents are as heavy as the camera made them. */
async function reduced(bytes: Buffer): Promise<Buffer> {
  try {
    return await oneAtATime(() =>
      openImage(bytes).resize({ width: reducedWidth, withoutEnlargement: true }).webp({ quality: 85 }).toBuffer(),
    );
  } catch (error) {
    throw error instanceof AppError ? error : new ImageError("L'image est illisible.", { cause: error });
  }
}
