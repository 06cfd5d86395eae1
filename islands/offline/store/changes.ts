/** Tabs and the worker tell each other that something is kept, or no longer. */
const channelName = 'prepa-hors-ligne';

let channel: BroadcastChannel | undefined;
const listeners = new Set<() => void>();

function join(): BroadcastChannel {
  if (!channel) {
    channel = new BroadcastChannel(channelName);
    channel.onmessage = () => {
      for (const listener of listeners) listener();
    };
  }
  return channel;
}

export const tellOfChange = (): void => join().postMessage('changed');

/** Calls `listener` when another tab or the worker has changed what is kept. */
export function onChange(listener: () => void): void {
  listeners.add(listener);
  join();
}
