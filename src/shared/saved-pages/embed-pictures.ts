const SOURCE = /(<img\b[^<>]*?\ssrc\s*=\s*)(?:"([^"]*)"|'([^']*)'|([^\s"'<>]+))/gi;

/**
 * Returns a page whose pictures are in the page itself, as data addresses. Pictures that are not found, and those of other sites, stay as
 * they are.
 * @param path the page's path in its archive or folder, with `/` between folders
 * @param read returns the bytes of a file by its path; null when there is none
 */
export async function embedPictures(
  html: string,
  path: string,
  read: (path: string) => Promise<Uint8Array | null> | Uint8Array | null,
): Promise<string> {
  const embedded = new Map<string, string>();
  for (const source of sourcesOf(html)) {
    for (const candidate of pathsOf(source, path)) {
      const bytes = await read(candidate);
      if (!bytes) continue;
      embedded.set(source, `data:image/${/\.([a-z]{1,4})$/i.exec(candidate)?.[1] ?? 'png'};base64,${base64(bytes)}`);
      break;
    }
  }
  if (embedded.size === 0) return html;
  return html.replaceAll(SOURCE, (whole, before: string, double?: string, single?: string, bare?: string) => {
    const data = embedded.get(double ?? single ?? bare ?? '');
    return data === undefined ? whole : `${before}"${data}"`;
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
