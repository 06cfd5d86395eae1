import { type EndOfCopy, type MarksAnswer, offlineFormat } from '../../../src/shared/offline/offline-copy.ts';
import { isWhole, readEnd } from '../both/access.ts';
import { ask, type Reply } from '../both/ask.ts';
import { oneAtATime } from '../both/one-at-a-time.ts';
import { leaveIfEmpty, removeCopies, tellOfRemoved } from '../both/removal.ts';
import { changeCopy, copies, copy as findCopy, putCopy } from '../both/store/copies.ts';
import { StorageRefused } from '../both/store/database.ts';
import { device, now, putNote, trust } from '../both/store/device.ts';
import { documentCache } from '../both/store/files.ts';
import { putMarks } from '../both/store/marks.ts';
import type { Copy } from '../both/store/records.ts';
import { forget, sweep, told } from '../both/store/removal.ts';
import { itemsOf } from '../both/store/texts.ts';
import { keepFarewell } from './farewell.ts';
import { fetchFiles, filesOf, type WantedFile } from './kept-files.ts';
import { limited } from './limited.ts';
import { keepRevision, marksPath } from './session/keep-revision.ts';
import { keepShell } from './shell.ts';
import { isFull } from './store/make-database.ts';
import { fetchTexts } from './texts.ts';

/** Response timeout, in ms. */
const timeoutMs = 30_000;

export interface Choice {
  prepa: number;
  /** Name that the learner gives this device; without it the device keeps its present name. */
  deviceName?: string;
  /** Ids; null: all disciplines, including those added later. */
  disciplines: readonly number[] | null;
  pictures: boolean;
  documents: boolean;
  /** Download size of the choice in bytes, as the page shows it; without it, the stored size is shown. */
  download?: number;
}

export interface KeepProgress {
  step: 'garder' | 'textes' | 'images' | 'documents' | 'page';
  /** Bytes already on this device. */
  done: number;
  /** Bytes of everything chosen; 0 while unknown. */
  total: number;
}

/** Why a prepa was not kept completely. Downloaded parts stay, and the next attempt continues from them. */
type NotKept =
  /** The browser is too old, or its settings refuse service workers. */
  | 'no-worker'
  /** The browser refuses storage, for example in a private window. */
  | 'refused'
  /** The browser's storage is full. */
  | 'quota'
  | 'network'
  /** The maximum number of other devices keep the prepa; the message names them. */
  | 'devices'
  | 'signed-out'
  /** The learner has no access to the prepa, or no longer. */
  | 'ended'
  /** The copy was removed during the download, by a sign-out or another tab. */
  | 'removed'
  /** According to the device's clock the access has already ended. */
  | 'clock'
  /** The page comes from an earlier release than the server and must be reloaded. */
  | 'outdated'
  | 'paused'
  | 'failed';

export type Kept = { kept: true } | { kept: false; reason: NotKept; message?: string };

class Stopped extends Error {
  declare readonly outcome: Kept;

  constructor(reason: NotKept, message?: string | null) {
    super(reason);
    this.outcome = { kept: false, reason, ...(message && { message }) };
  }
}

/** Maps a failed response, or none, to the reason shown to the learner. */
function refusal(reply: Reply<object> | null, signal: AbortSignal): Stopped {
  if (signal.aborted) return new Stopped('paused');
  if (!reply) return new Stopped('network');
  if (reply.status === 401) return new Stopped('signed-out');
  if (reply.status === 409) return new Stopped('devices', reply.body?.message);
  if (reply.status === 403 || reply.status === 404) return new Stopped('ended', reply.body?.message);
  return new Stopped('failed', reply.body?.message);
}

/**
 * Keeps a prepa on this device, continues an interrupted download, or updates the copy. Order: the server's permission, texts, marks, files,
 * then the page that shows them. Never throws; a failure is returned as a reason.
 */
export async function keepPrepa(choice: Choice, onProgress: (progress: KeepProgress) => void, signal: AbortSignal): Promise<Kept> {
  try {
    if (!navigator.serviceWorker || !globalThis.caches || !crypto.subtle) throw new Stopped('no-worker');
    await oneAtATime('garder', true, () => keep(choice, onProgress, signal));
    return { kept: true };
  } catch (error) {
    if (error instanceof Stopped) {
      // Remove the files downloaded since the removal.
      if (error.message === 'removed') await clear();
      return error.outcome;
    }
    if (signal.aborted) return { kept: false, reason: 'paused' };
    if (isFull(error)) return { kept: false, reason: 'quota' };
    return { kept: false, reason: error instanceof StorageRefused ? 'refused' : 'failed' };
  }
}

async function keep(choice: Choice, onProgress: (progress: KeepProgress) => void, signal: AbortSignal): Promise<void> {
  onProgress({ step: 'garder', done: 0, total: 0 });
  // Requested only after the learner's choice. The prepa is kept even if the browser refuses.
  navigator.storage?.persist?.().catch(() => {});
  const copy = await begin(choice, signal);
  await register();
  const present = async () => {
    if (!(await findCopy(copy.id))) throw new Stopped(signal.aborted ? 'paused' : 'removed');
  };

  onProgress({ step: 'textes', done: 0, total: 0 });
  const texts = await fetchTexts(copy, signal);
  if (typeof texts === 'string') throw new Stopped(texts);
  if ('refused' in texts) throw refusal(texts.refused, signal);
  await changeCopy(copy.id, { format: offlineFormat });
  const marks = await ask<MarksAnswer>(marksPath(copy), { signal: limited(signal, timeoutMs) });
  if (!marks?.ok || !marks.body) throw refusal(marks, signal);
  // Another learner has signed in meanwhile.
  if (marks.body.learner !== copy.learner) throw new Stopped('failed');
  await putMarks(copy.id, marks.body.marques);
  await keepRevision(copy.id, marks.body);
  await sweep();

  await putNote('full', null);
  const { held, missing } = await filesOf(copy);
  const textBytes = JSON.stringify(await itemsOf(copy.id)).length;
  const total = textBytes + bytesOf(held) + bytesOf(missing);
  let done = textBytes + bytesOf(held);
  for (const [step, files] of [
    ['images', missing.filter(({ cache }) => cache !== documentCache)],
    ['documents', missing.filter(({ cache }) => cache === documentCache)],
  ] as const) {
    if (files.length === 0) continue;
    onProgress({ step, done, total });
    const came = ({ octets }: WantedFile) => {
      done += octets;
      onProgress({ step, done, total });
    };
    if (!(await fetchFiles(files, came, signal))) throw refusal(null, signal);
    await present();
  }

  onProgress({ step: 'page', done, total });
  const ofPage = await keepShell({ isForced: true, signal });
  await present();
  if (ofPage) throw ofPage === 'release' && !signal.aborted ? new Stopped('failed') : refusal(null, signal);
  const kept = await changeCopy(copy.id, { complete: true, updatedAt: await now(), bytes: total, download: choice.download ?? total });
  if (!kept) throw new Stopped('removed');
}

async function clear(): Promise<void> {
  try {
    await sweep();
    await tellOfRemoved();
    await leaveIfEmpty();
  } catch {
    // The next contact tries again.
  }
}

const bytesOf = (files: readonly WantedFile[]): number => files.reduce((total, { octets }) => total + octets, 0);

/** Registers this device with the server as one that keeps the prepa, and stores the copy's record. */
async function begin({ prepa, deviceName, ...choice }: Choice, signal: AbortSignal): Promise<Copy> {
  const disciplines = choice.disciplines && [...choice.disciplines];
  const appareil = await device();
  const reply = await ask<{ device: number; learner: string; end: EndOfCopy; publicKey: JsonWebKey }>(`prepas/${prepa}/garder`, {
    body: { appareil, disciplines, ...(deviceName && { nom: deviceName }) },
    signal: limited(signal, timeoutMs),
  });
  if (!reply?.ok || !reply.body) {
    await leaveIfEmpty();
    throw refusal(reply, signal);
  }
  const { learner, end, publicKey } = reply.body;
  const said = await readEnd(end, publicKey);
  if (!said) throw new Stopped('failed');
  // Copies of another learner are removed: this learner may not read them.
  if ((await copies()).some((copy) => copy.learner !== learner)) await removeCopies();
  await putNote('arrival', null);
  await trust(said.signedAt);
  if ((await now()) > said.end) {
    await forget(prepa);
    await clear();
    throw new Stopped('clock');
  }
  const before = await findCopy(prepa);
  const fresh = { nom: '', format: offlineFormat, tag: '', complete: false, keptAt: said.signedAt, updatedAt: said.signedAt, bytes: 0 };
  const chosen = { id: prepa, learner, device: reply.body.device, end, endAt: said.end, publicKey, ...choice, disciplines };
  const copy: Copy = { ...fresh, ...before, ...chosen, complete: before !== undefined && isWhole(before) };
  await putCopy(copy);
  // Another tab that found nothing kept may have deleted the database meanwhile, with the device's UUID.
  await putNote('device', appareil);
  await keepFarewell();
  await told(prepa);
  return copy;
}

/** Registers the service worker. Without the worker nothing can be shown offline, so a refusal removes all copies. */
async function register(): Promise<void> {
  try {
    await navigator.serviceWorker.register('/service-worker.js', { scope: '/' });
  } catch (error) {
    // The worker's script could not be fetched.
    if (error instanceof TypeError) throw new Stopped('network');
    await removeCopies();
    await tellOfRemoved();
    await leaveIfEmpty();
    throw new Stopped('no-worker');
  }
}
