import { type EndOfCopy, offlineFormat, type SignedEnd } from '../../../src/shared/offline/offline-copy.ts';
import { copies } from './store/copies.ts';
import { note, now } from './store/device.ts';
import type { Copy } from './store/records.ts';
import { forget } from './store/removal.ts';

const algorithm = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' };

/** Verifies the signature of an end and returns its content; null when the signature is not the server's. */
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

/** Returns whether a copy may be read at `now` (ms): its end is signed for this copy, its learner and its device, and has not passed. */
async function readable(copy: Copy, now: number): Promise<boolean> {
  const said = await readEnd(copy.end, copy.publicKey);
  return isFor(copy, said) && now <= said.end;
}

/** Returns whether an end was signed for this copy, its learner and its device. */
export const isFor = ({ id, learner, device }: Copy, said: SignedEnd | null): said is SignedEnd =>
  said?.prepa === id && said.learner === learner && said.device === device;

/** Returns whether a copy can be shown: its download is complete, and its format is the one of this script. */
export const isWhole = ({ complete, format }: Copy): boolean => complete && format === offlineFormat;

/** Returns the time (ms) of a sign-in whose learner the server has not confirmed yet; null or undefined when there is none. */
export const arrival = (): Promise<number | null | undefined> => note('arrival');

/** Returns the copies that may be read now: none while a sign-in is unconfirmed. Removes the copies that have ended. */
export async function readableCopies(): Promise<Copy[]> {
  const found = await lastingCopies();
  return (await arrival()) ? [] : found;
}

/** Returns the copies that have not ended, regardless of who is signed in. Removes the ended ones. */
export async function lastingCopies(): Promise<Copy[]> {
  const at = await now();
  const found: Copy[] = [];
  for (const copy of await copies()) {
    if (await readable(copy, at)) found.push(copy);
    else await forget(copy.id);
  }
  return found;
}

/** Returns the copy of a prepa if it may be read now and can be shown. */
export const openCopy = async (prepaId: number): Promise<Copy | undefined> =>
  (await readableCopies()).find((copy) => copy.id === prepaId && isWhole(copy));
