import { unseal } from '../../src/shared/exams/sealed-paper.ts';
import { tellOfChange } from '../offline/both/store/changes.ts';
import { examCache } from './exam-cache.ts';
import { patientFetch } from './patient-fetch.ts';

/** The paper of an exam on this phone. It is sealed until the opening: the phone has nothing that could be read before. */

const sealedPath = (exam: string): string => `/api/concours-blancs/${exam}/scelle`;
const keyPath = (exam: string): string => `/api/concours-blancs/${exam}/cle`;
/** Without them pages have no storage of files, or cannot open what is sealed: such a page fetches the paper at the opening. */
const canKeep = (): boolean => !!globalThis.caches && !!crypto.subtle && 'DecompressionStream' in globalThis;

const kept = (path: string): Promise<Response | undefined> => caches.match(path, { cacheName: examCache });

/** Status of a response that may be another one soon: the server has too much to do, or its database is away. */
const isPassing = (status: number): boolean => status >= 500 || status === 429;

/** Fetches a file and keeps it, where there is storage for it; a refusal is not kept. @throws without network or while the server fails */
async function answered(path: string): Promise<Response> {
  const response = await patientFetch(path);
  if (isPassing(response.status)) throw new Error(`${response.status}`);
  if (response.ok)
    await caches
      .open(examCache)
      .then((cache) => cache.put(path, response.clone()))
      .catch(() => {});
  return response;
}

/** Returns a file that is kept now. @returns null if it is refused  @throws as `answered` */
async function fetched(path: string): Promise<Response | null> {
  const response = await answered(path);
  return response.ok ? response : null;
}

/** Fetches the sealed paper and keeps it. @returns its size in bytes; null where it cannot be kept  @throws as `fetched` */
async function keepSealed(exam: string): Promise<number | null> {
  if (!canKeep()) return null;
  const path = sealedPath(exam);
  if (!(await kept(path))) await fetched(path);
  const response = await kept(path);
  return response ? (await response.blob()).size : null;
}

/**
 * Keeps the room's page with its scripts and styles, and the worker that shows it without network. A page of another revision is replaced.
 * Never fails: without it only a reload needs the network.
 */
async function keepRoom(room: string, revision: string): Promise<void> {
  try {
    if (!canKeep() || !navigator.serviceWorker) return;
    const cache = await caches.open(examCache);
    const files = performance.getEntriesByType('resource').map(({ name }) => new URL(name));
    const paths = files
      .filter(({ origin, pathname }) => origin === location.origin && pathname.startsWith('/assets/'))
      .map((url) => url.pathname);
    for (const path of new Set(paths)) if (!(await cache.match(path))) await cache.add(path);
    const before = await (await cache.match(room))?.text();
    if (!before?.includes(`data-revision="${revision}"`)) await fetched(room);
    await navigator.serviceWorker.register('/service-worker.js', { scope: '/' });
    tellOfChange();
  } catch {
    // Storage is refused or full, or there is no network.
  }
}

/** Pause before something is fetched again to be kept, in ms. Random, so that phones do not come back together. */
const pauseMs = (): number => 5_000 + Math.random() * 10_000;

/**
 * Fetches the sealed paper, until it is there, then keeps the room.
 * @param room its path
 * @param onReady called with the paper's size in bytes, unless this browser cannot keep it
 */
export function prepareRoom(exam: string, room: string, revision: string, onReady: (bytes: number) => void): void {
  keepSealed(exam).then(
    (bytes) => {
      if (bytes !== null) onReady(bytes);
      keepRoom(room, revision);
    },
    () => setTimeout(() => prepareRoom(exam, room, revision, onReady), pauseMs()),
  );
}

/**
 * Returns the paper's HTML after the opening: the kept one, opened by its key; where that fails, the one in the server's page. Null if the
 * server has none, or by its clock the opening is still to come.
 * @throws without network
 */
export async function openPaper(exam: string): Promise<string | null> {
  try {
    const sealed = canKeep() ? ((await kept(sealedPath(exam))) ?? (await fetched(sealedPath(exam)))) : null;
    if (sealed) {
      const released = (await kept(keyPath(exam))) ?? (await answered(keyPath(exam)));
      if (isEarly(released)) return null;
      if (released.ok) return await unsealed(await sealed.arrayBuffer(), (await released.json()).cle);
    }
  } catch {
    // Damaged, or without network: the page has the paper too.
  }
  const page = await patientFetch(location.pathname, { cache: 'no-cache', redirect: 'follow' });
  const sheet = new DOMParser().parseFromString(await page.text(), 'text/html').querySelector('[data-feuille]');
  return sheet?.innerHTML.trim() || null;
}

/** Whether the key is not released yet: the phone's clock may be ahead of the server's by the time that a message takes. */
const isEarly = ({ status }: Response): boolean => status === 403;

/** Keeps the key, until it is there: a paper that came in the page would not be shown after a reload without network. Never fails. */
export async function keepKey(exam: string): Promise<void> {
  try {
    if (canKeep() && !(await kept(keyPath(exam)))) await fetched(keyPath(exam));
  } catch {
    setTimeout(() => keepKey(exam), pauseMs());
  }
}

async function unsealed(sealed: ArrayBuffer, key: string): Promise<string> {
  const bytes = Uint8Array.from(atob(key), (character) => character.charCodeAt(0));
  const deflated = await unseal(new Uint8Array(sealed), bytes);
  return new Response(new Blob([deflated]).stream().pipeThrough(new DecompressionStream('deflate-raw'))).text();
}
