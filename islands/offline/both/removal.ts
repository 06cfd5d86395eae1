import { examCache } from '../../exams/exam-cache.ts';
import { ask } from './ask.ts';
import { copies } from './store/copies.ts';
import { device, note, putNote } from './store/device.ts';
import { entries } from './store/outbox.ts';
import { forget, forgetAll, told, untold } from './store/removal.ts';

/** A sign-out that the server has not received: its learner (undefined when unknown), and the path of its request. */
type SignOut = [learner: string | undefined, path: string];
export const signOutToSend = (): Promise<SignOut | null | undefined> => note('leaving');
export const putSignOut = (signOut: SignOut | null): Promise<unknown> => putNote('leaving', signOut);

/** Returns whether the device has a copy, an unsent entry, an unreported removal or a pending sign-out. */
export async function isAnythingLeft(): Promise<boolean> {
  const left = await Promise.all([copies(), entries(), untold(), signOutToSend()]);
  return left.some((part) => part?.length);
}

/**
 * Deletes the database and all files, if nothing is kept or waits to be sent (see `isAnythingLeft`). Unregisters the worker too, unless it
 * keeps the room of a mock exam.
 */
export async function leaveIfEmpty(): Promise<void> {
  if (await isAnythingLeft()) return;
  await forgetAll();
  if (await caches.has(examCache)) return;
  const own = (globalThis as { registration?: ServiceWorkerRegistration }).registration;
  await (own ?? (await navigator.serviceWorker?.getRegistration()))?.unregister();
}

/** Removes every copy. Unsent entries stay and are only sent to their learner's account. */
export async function removeCopies(): Promise<void> {
  for (const { id } of await copies()) await forget(id);
}

/** Reports removed prepas to the server, so that other devices may keep them. A failed report is sent again at the next contact. */
export async function tellOfRemoved(): Promise<void> {
  const appareil = await device();
  for (const id of await untold()) {
    const reply = await ask(`prepas/${id}/retirer`, { body: { appareil } });
    if (reply?.status === 204) await told(id);
  }
}
