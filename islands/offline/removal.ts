import { ask } from './ask.ts';
import { copies } from './store/copies.ts';
import { device, note, putNote } from './store/device.ts';
import { entries } from './store/outbox.ts';
import { forget, forgetAll, told, untold } from './store/removal.ts';

/** Of a sign-out that the server has not heard of: whose, as far as it is known, and the path that it is sent to. */
type SignOut = [learner: string | undefined, path: string];
export const signOutToSend = (): Promise<SignOut | null | undefined> => note('leaving');
export const putSignOut = (signOut: SignOut | null): Promise<unknown> => putNote('leaving', signOut);

/** Whether anything is kept, to be sent or to be told. */
export async function isAnythingLeft(): Promise<boolean> {
  const left = await Promise.all([copies(), entries(), untold(), signOutToSend()]);
  return left.some((part) => part?.length);
}

/** When nothing is kept, to be sent or to be told, everything of it goes: database, files, and the worker. */
export async function leaveIfEmpty(): Promise<void> {
  if (await isAnythingLeft()) return;
  await forgetAll();
  const own = (globalThis as { registration?: ServiceWorkerRegistration }).registration;
  await (own ?? (await navigator.serviceWorker?.getRegistration()))?.unregister();
}

/** Removes every copy. What is still to be sent waits for its learner, and for nobody else. */
export async function removeCopies(): Promise<void> {
  for (const { id } of await copies()) await forget(id);
}

/** Tells the server which prepas were removed here, so that another device may keep them. What it does not hear now it hears at the next contact. */
export async function tellOfRemoved(): Promise<void> {
  const appareil = await device();
  for (const id of await untold()) {
    const reply = await ask(`prepas/${id}/retirer`, { body: { appareil } });
    if (reply?.status === 204) await told(id);
  }
}
