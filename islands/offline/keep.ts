import { type EndOfCopy, type MarksAnswer, offlineFormat } from '../../src/shared/offline/offline-copy.ts';
import { isWhole, readEnd } from './access.ts';
import { ask, type Reply } from './ask.ts';
import { keepFarewell } from './farewell.ts';
import { fetchFiles, filesOf, type WantedFile } from './kept-files.ts';
import { limited } from './limited.ts';
import { oneAtATime } from './one-at-a-time.ts';
import { leaveIfEmpty, removeCopies, tellOfRemoved } from './removal.ts';
import { keepShell } from './shell.ts';
import { changeCopy, copies, copy as findCopy, putCopy } from './store/copies.ts';
import { StorageRefused } from './store/database.ts';
import { device, now, putNote, trust } from './store/device.ts';
import { documentCache } from './store/files.ts';
import { isFull } from './store/make-database.ts';
import { putMarks } from './store/marks.ts';
import type { Copy } from './store/records.ts';
import { forget, sweep, told } from './store/removal.ts';
import { itemsOf } from './store/texts.ts';
import { fetchTexts } from './texts.ts';

/** For the server to answer, in ms. */
const timeoutMs = 30_000;

export interface Choice {
  prepa: number;
  /** The name that the learner gives this device; without one it keeps its own. */
  deviceName?: string;
  /** Null: all, also those that are added later. */
  disciplines: readonly number[] | null;
  pictures: boolean;
  documents: boolean;
}

export interface KeepProgress {
  step: 'garder' | 'textes' | 'images' | 'documents' | 'page';
  /** Bytes of what has come of all that was chosen. */
  done: number;
  /** As far as it is known. */
  total: number;
}

/** Why a prepa is not kept, or not wholly: what has come stays, and the next time goes on from there. */
type NotKept =
  /** An old browser, or one whose settings refuse workers. */
  | 'no-worker'
  /** The browser keeps nothing: a private window. */
  | 'refused'
  /** It has no more room. */
  | 'quota'
  | 'network'
  /** Enough other devices keep it: the message names them. */
  | 'devices'
  | 'signed-out'
  /** The learner may not read it, or no longer. */
  | 'ended'
  /** It was removed meanwhile, by a sign-out or another tab. */
  | 'removed'
  /** By the device's clock the access has ended already. */
  | 'clock'
  /** The page is of an earlier release than the server: load it again. */
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

/** What an answer means that is none. */
function refusal(reply: Reply<object> | null, signal: AbortSignal): Stopped {
  if (signal.aborted) return new Stopped('paused');
  if (!reply) return new Stopped('network');
  if (reply.status === 401) return new Stopped('signed-out');
  if (reply.status === 409) return new Stopped('devices', reply.body?.message);
  if (reply.status === 403 || reply.status === 404) return new Stopped('ended', reply.body?.message);
  return new Stopped('failed', reply.body?.message);
}

/**
 * Keeps a prepa on this device, or goes on where it was stopped, or brings it up to date: the server's word first, then texts, files, and the page that shows them.
 * Never throws; what goes wrong is said.
 */
export async function keepPrepa(choice: Choice, onProgress: (progress: KeepProgress) => void, signal: AbortSignal): Promise<Kept> {
  try {
    if (!navigator.serviceWorker || !globalThis.caches || !crypto.subtle) throw new Stopped('no-worker');
    await oneAtATime('garder', true, () => keep(choice, onProgress, signal));
    return { kept: true };
  } catch (error) {
    if (error instanceof Stopped) {
      // Nothing stays of what came meanwhile.
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
  // Asked after the choice; whatever the answer, the prepa is kept.
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
  const marks = await ask<MarksAnswer>(`prepas/${copy.id}/marques`, { signal: limited(signal, timeoutMs) });
  if (!marks?.ok || !marks.body) throw refusal(marks, signal);
  // Somebody else has signed in meanwhile.
  if (marks.body.learner !== copy.learner) throw new Stopped('failed');
  await putMarks(copy.id, marks.body.marques);
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
  const kept = await changeCopy(copy.id, { complete: true, updatedAt: await now(), bytes: total });
  if (!kept) throw new Stopped('removed');
}

async function clear(): Promise<void> {
  try {
    await sweep();
    await tellOfRemoved();
    await leaveIfEmpty();
  } catch {
    // The next contact does it.
  }
}

const bytesOf = (files: readonly WantedFile[]): number => files.reduce((total, { octets }) => total + octets, 0);

/** Asks the server, which counts this device among those that keep the prepa, and writes down what is to be kept. */
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
  // What somebody else has kept here is not this learner's to read.
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
  // Another tab that found nothing kept may have removed everything meanwhile.
  await putNote('device', appareil);
  await keepFarewell();
  await told(prepa);
  return copy;
}

/** Without a worker nothing is shown without network. */
async function register(): Promise<void> {
  try {
    await navigator.serviceWorker.register('/service-worker.js', { scope: '/' });
  } catch (error) {
    // Its script did not come.
    if (error instanceof TypeError) throw new Stopped('network');
    await removeCopies();
    await tellOfRemoved();
    await leaveIfEmpty();
    throw new Stopped('no-worker');
  }
}
