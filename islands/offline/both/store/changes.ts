import { storeName } from './name.ts';

/** Channel on which tabs and the worker report changes of the store to each other. Opened at first use. */
let joined: BroadcastChannel | undefined;
const channel = (): BroadcastChannel => {
  joined ??= new BroadcastChannel(storeName);
  return joined;
};

/** 'changed': copies, or whether they may be shown; 'entries': only the outbox. */
type Change = 'changed' | 'entries';

export const tellOfChange = (what: Change = 'changed'): void => channel().postMessage(what);

/** Calls `listener` with a `Change` when another tab or the worker has changed the store. */
export const onChange = (listener: (message: { data: Change }) => void): void => channel().addEventListener('message', listener);
