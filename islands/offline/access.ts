import { type EndOfCopy, offlineFormat, type SignedEnd } from '../../src/shared/offline/offline-copy.ts';
import { copies } from './store/copies.ts';
import { note, now } from './store/device.ts';
import type { Copy } from './store/records.ts';
import { forget } from './store/removal.ts';

const algorithm = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' };

/** What a signed end says; null when the server has not signed it. */
export async function readEnd({ said, signature }: EndOfCopy, publicKey: JsonWebKey): Promise<SignedEnd | null> {
  try {
    const key = await crypto.subtle.importKey('jwk', publicKey, algorithm, false, ['verify']);
    const bytes = Uint8Array.from(atob(signature.replaceAll('-', '+').replaceAll('_', '/')), (character) => character.charCodeAt(0));
    const isSigned = await crypto.subtle.verify(algorithm, key, bytes, new TextEncoder().encode(said));
    return isSigned ? JSON.parse(said) : null;
  } catch {
    return null;
  }
}

/** Whether a copy may be read at `now`: its end is signed for it, for this learner and this device, and has not come. */
async function readable(copy: Copy, now: number): Promise<boolean> {
  const said = await readEnd(copy.end, copy.publicKey);
  return isFor(copy, said) && now <= said.end;
}

/** Whether an end is said of this copy. */
export const isFor = ({ id, learner, device }: Copy, said: SignedEnd | null): said is SignedEnd =>
  said?.prepa === id && said.learner === learner && said.device === device;

/** Whether a copy that may be read can be shown: all of it is there, in the shape that this script knows. */
export const isWhole = ({ complete, format }: Copy): boolean => complete && format === offlineFormat;

/** Somebody has signed in here since the server last said who it is. The instant, or none. */
export const arrival = (): Promise<number | null | undefined> => note('arrival');

/** The copies that may be read now: none before it is known whose session it is. Whatever has ended is removed at once. */
export async function readableCopies(): Promise<Copy[]> {
  const found = await lastingCopies();
  return (await arrival()) ? [] : found;
}

/** Those that have not ended, whoever has signed in. */
export async function lastingCopies(): Promise<Copy[]> {
  const at = await now();
  const found: Copy[] = [];
  for (const copy of await copies()) {
    if (await readable(copy, at)) found.push(copy);
    else await forget(copy.id);
  }
  return found;
}

/** The copy of a prepa if it may be read now and can be shown. */
export const openCopy = async (prepaId: number): Promise<Copy | undefined> =>
  (await readableCopies()).find((copy) => copy.id === prepaId && isWhole(copy));
