import { storeName } from './name.ts';

/** Tabs and the worker tell each other that something is kept, or no longer. */
let joined: BroadcastChannel | undefined;
const channel = (): BroadcastChannel => {
  joined ??= new BroadcastChannel(storeName);
  return joined;
};

/** Of what is kept, or only of what waits to be sent. */
type Change = 'changed' | 'entries';

export const tellOfChange = (what: Change = 'changed'): void => channel().postMessage(what);

/** Calls `listener` with a `Change` when another tab or the worker has changed it. */
export const onChange = (listener: (message: { data: Change }) => void): void => channel().addEventListener('message', listener);
