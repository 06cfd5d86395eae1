/** A refused image; the message is in French. */
export class ImageError extends Error {
  override readonly name = 'ImageError';
}

export const unreadable = (cause?: unknown): ImageError => new ImageError("L'image est illisible.", { cause });
