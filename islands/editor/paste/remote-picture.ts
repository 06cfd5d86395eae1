/** As wide as a picture is stored, in pixels (src/platform/files/images.ts). */
const maxWidth = 1200;
/** For the other site to answer, in ms. */
const timeoutMs = 20_000;

/**
 * Returns the picture at an address of another site as a file, drawn anew, without cookies or a referrer.
 * @throws Error when the site does not let pages of others read it (CORS), or does not answer
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
  // Where the browser writes no WebP it writes PNG.
  const blob = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, 'image/webp', 0.92));
  if (!blob) throw new Error('empty');
  return new File([blob], `image.${blob.type.replace('image/', '')}`, { type: blob.type });
}
