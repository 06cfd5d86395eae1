import { pauseBeforeRetry } from '../../runtime/busy.ts';
import { copies as allCopies } from '../both/store/copies.ts';
import { documentCache, pathsIn, pictureCache, picturePath, shellPath } from '../both/store/files.ts';
import type { Copy } from '../both/store/records.ts';
import { disciplinesOf, itemsOf } from '../both/store/texts.ts';
import { limited } from './limited.ts';

/** Parallel downloads. More would only share a slow connection. */
const lanes = 3;
/** Attempts per file while the server is overloaded (503). */
const attempts = 4;
/** Timeout per file, in ms: long enough for a slow network. */
const timeoutMs = 120_000;

export interface WantedFile {
  cache: string;
  path: string;
  octets: number;
}

export interface Missing {
  pictures: number;
  documents: number;
}

/** Returns the files that a copy needs for its choice, each once, divided into those on the device and the missing ones. */
export async function filesOf({ id, pictures, documents }: Copy): Promise<{ held: WantedFile[]; missing: WantedFile[] }> {
  const items = await itemsOf(id);
  const covers = (await disciplinesOf(id)).flatMap(({ image }) => image ?? []);
  const wanted = new Map<string, WantedFile>();
  const want = (cache: string, path: string, octets: number) => wanted.set(path, { cache, path, octets });
  for (const item of items) {
    if (pictures) for (const { name, octets } of item.pictures) want(pictureCache, picturePath(name), octets);
    if (documents) for (const { url, octets } of item.documents) want(documentCache, url, octets);
  }
  if (pictures) for (const path of covers) want(pictureCache, path, 0);
  const here = new Set([...(await pathsIn(pictureCache)), ...(await pathsIn(documentCache))]);
  const files = [...wanted.values()];
  return { held: files.filter(({ path }) => here.has(path)), missing: files.filter(({ path }) => !here.has(path)) };
}

/** Returns how many files of complete copies are missing: evicted by the browser, or not downloaded yet. */
export async function missingFiles(ids: readonly number[]): Promise<Missing> {
  const copies = (await allCopies()).filter(({ id, complete }) => complete && ids.includes(id));
  const missing = (await Promise.all(copies.map(filesOf))).flatMap((files) => files.missing);
  const paths = (cache: string) => new Set(missing.filter((file) => file.cache === cache).map(({ path }) => path)).size;
  return { pictures: paths(pictureCache), documents: paths(documentCache) };
}

/**
 * Fetches files into their caches, several in parallel. A file that the server no longer has (404, 410) is skipped.
 * @returns whether all other files were fetched; false without network, without a session or when `signal` was aborted
 * @throws QuotaExceededError when the browser's storage is full
 */
export async function fetchFiles(files: readonly WantedFile[], onFile: (file: WantedFile) => void, signal?: AbortSignal): Promise<boolean> {
  const waiting = [...files];
  let isWhole = true;
  const lane = async () => {
    for (let file = waiting.shift(); file && isWhole; file = waiting.shift()) {
      if (await fetchFile(file, signal)) onFile(file);
      else isWhole = false;
    }
  };
  await Promise.all(Array.from({ length: lanes }, lane));
  return isWhole;
}

async function fetchFile({ cache, path }: WantedFile, signal?: AbortSignal): Promise<boolean> {
  for (let attempt = 1; attempt <= attempts; attempt += 1) {
    const response = await fetchWhole(path, signal);
    if (!response) return false;
    if (response.status === 404 || response.status === 410) return true;
    if (response.ok) {
      await (await caches.open(cache)).put(path, response);
      return true;
    }
    const pause = pauseBeforeRetry(response);
    if (pause === null) return false;
    await new Promise((resolve) => setTimeout(resolve, pause));
  }
  return false;
}

/** Fetches a response with its complete body, so that no partial file is stored. Returns null when the network failed or the response is not the file. */
export async function fetchWhole(path: string, signal?: AbortSignal, init?: RequestInit): Promise<Response | null> {
  try {
    // A redirect, for example to the sign-in page, is not the file.
    const response = await fetch(path, { ...init, redirect: 'error', signal: limited(signal, timeoutMs) });
    // HTML is not the file either: a Wi-Fi portal returns its page for every URL.
    if (response.ok && path !== shellPath && /html/.test(response.headers.get('content-type') ?? '')) return null;
    const body = await response.blob();
    // The stored body is decompressed, so these headers no longer apply.
    const headers = new Headers(response.headers);
    for (const name of ['content-encoding', 'content-length']) headers.delete(name);
    return new Response(body, { status: response.status, headers });
  } catch {
    return null;
  }
}
