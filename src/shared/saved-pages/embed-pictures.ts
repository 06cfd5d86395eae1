const SOURCE = /(<img\b[^<>]*?\ssrc\s*=\s*)(?:"([^"]*)"|'([^']*)'|([^\s"'<>]+))/gi;

/** Most bytes of all pictures of a page: as text they take a third more. */
export const maxPictureBytes = 40 * 1024 * 1024;

/** Start of the address of a picture that an earlier place of the page holds; the `name` of its data address follows. */
export const EARLIER_PICTURE = 'embedded-picture:';

/** The pictures of a page are too large together; the message is French. */
export class PicturesTooLarge extends Error {
  override readonly name = 'PicturesTooLarge';

  constructor() {
    super('Les images de cette page dépassent 40 Mo ensemble. Réduisez-les, puis réessayez.');
  }
}

/**
 * Returns a page whose pictures are in the page itself, as data addresses. A picture shown several times is in its first place, to which the
 * others refer (`EARLIER_PICTURE`). Pictures that are not found, and those of other sites, stay as they are.
 * @param path the page's path in its archive or folder, with `/` between folders
 * @param read returns the bytes of a file by its path; null when there is none. Called once for each path.
 * @throws PicturesTooLarge
 */
export async function embedPictures(
  html: string,
  path: string,
  read: (path: string) => Promise<Uint8Array | null> | Uint8Array | null,
): Promise<string> {
  const pictures = new Map<string, string | null>();
  const embedded = new Map<string, string>();
  let left = maxPictureBytes;
  for (const source of sourcesOf(html)) {
    for (const candidate of pathsOf(source, path)) {
      if (!pictures.has(candidate)) {
        const bytes = await read(candidate);
        left -= bytes?.length ?? 0;
        if (left < 0) throw new PicturesTooLarge();
        pictures.set(candidate, bytes && base64(bytes));
      }
      if (pictures.get(candidate) === null) continue;
      embedded.set(source, candidate);
      break;
    }
  }
  if (embedded.size === 0) return html;
  const places = new Map<string, number>();
  const pathOf = (double?: string, single?: string, bare?: string) => embedded.get(double ?? single ?? bare ?? '');
  for (const [, , ...given] of html.matchAll(SOURCE)) {
    const found = pathOf(...given);
    if (found !== undefined) places.set(found, (places.get(found) ?? 0) + 1);
  }
  const names = new Map<string, number>();
  return html.replaceAll(SOURCE, (whole, before: string, double?: string, single?: string, bare?: string) => {
    const found = pathOf(double, single, bare);
    if (found === undefined) return whole;
    const earlier = names.get(found);
    if (earlier !== undefined) return `${before}"${EARLIER_PICTURE}${earlier}"`;
    names.set(found, names.size);
    const name = (places.get(found) ?? 0) > 1 ? `;name=${names.get(found)}` : '';
    return `${before}"data:image/${/\.([a-z]{1,4})$/i.exec(found)?.[1] ?? 'png'}${name};base64,${pictures.get(found)}"`;
  });
}

/** Returns the addresses of pictures that are neither on another site nor in the page. */
const sourcesOf = (html: string): Set<string> =>
  new Set(
    [...html.matchAll(SOURCE)]
      .map(([, , double, single, bare]) => double ?? single ?? bare ?? '')
      .filter((source) => source !== '' && !/^(?:[a-z][a-z0-9+.-]*:|\/\/)/i.test(source)),
  );

/** Returns the paths that an address may mean, relative to its page. */
function pathsOf(source: string, page: string): string[] {
  const plain = source.replaceAll('&amp;', '&').replace(/[?#].*$/s, '');
  const folder = page.split('/').slice(0, -1);
  return [...new Set([plain, unescaped(plain)])].flatMap((address) => {
    const path = [...folder];
    for (const step of address.split('/')) {
      if (step === '..') path.pop();
      else if (step !== '.' && step !== '') path.push(step);
    }
    return path.length > 0 ? [path.join('/')] : [];
  });
}

function unescaped(address: string): string {
  try {
    return decodeURIComponent(address);
  } catch {
    return address;
  }
}

/** Returns bytes in base64, in pieces, since a call has a limited number of arguments. */
function base64(bytes: Uint8Array): string {
  const pieces: string[] = [];
  for (let at = 0; at < bytes.length; at += 24_576) pieces.push(btoa(String.fromCharCode(...bytes.subarray(at, at + 24_576))));
  return pieces.join('');
}
