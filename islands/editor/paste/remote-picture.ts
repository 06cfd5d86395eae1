/** Maximum width of a stored picture, in pixels (src/platform/files/images.ts). */
const maxWidth = 1200;
/** Timeout of the other site, in ms. */
const timeoutMs = 20_000;

/**
 * Returns a picture of another site as a file, redrawn. The request has no cookies and no referrer.
 * @throws Error when the site does not allow reading by other sites (CORS), or does not respond
 */
export async function remotePicture(src: string): Promise<File> {
  const image = new Image();
  image.crossOrigin = 'anonymous';
  image.referrerPolicy = 'no-referrer';
  let timer = 0;
  const late = new Promise<never>((_, reject) => {
    timer = window.setTimeout(() => reject(new Error('late')), timeoutMs);
  });
  image.src = src;
  await Promise.race([image.decode(), late]).finally(() => clearTimeout(timer));
  const scale = Math.min(1, maxWidth / image.naturalWidth);
  const canvas = document.createElement('canvas');
  canvas.width = Math.max(1, Math.round(image.naturalWidth * scale));
  canvas.height = Math.max(1, Math.round(image.naturalHeight * scale));
  canvas.getContext('2d')?.drawImage(image, 0, 0, canvas.width, canvas.height);
  // Browsers that cannot encode WebP produce PNG.
  const blob = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, 'image/webp', 0.92));
  if (!blob) throw new Error('empty');
  return new File([blob], `image.${blob.type.replace('image/', '')}`, { type: blob.type });
}
