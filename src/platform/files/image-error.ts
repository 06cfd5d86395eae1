/** An image that is refused; the message is French. */
export class ImageError extends Error {
  override readonly name = 'ImageError';
}

export const unreadable = (cause?: unknown): ImageError => new ImageError("L'image est illisible.", { cause });
