import { storeName } from './name.ts';

/** Tabs and the worker tell each other that something is kept, or no longer. */
let joined: BroadcastChannel | undefined;
const channel = (): BroadcastChannel => {
  joined ??= new BroadcastChannel(storeName);
  return joined;
};

export const tellOfChange = (): void => channel().postMessage('changed');

/** Calls `listener` when another tab or the worker has changed what is kept. */
export const onChange = (listener: () => void): void => channel().addEventListener('message', listener);
