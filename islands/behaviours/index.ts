import { startCountdowns } from './countdown.ts';
import { startDialogs } from './dialogs.ts';
import { startToasts } from './toasts.ts';

/** Small behaviours that need no React. */
export function startBehaviours(hydrate: (island: HTMLElement) => Promise<void>): void {
  startDialogs(hydrate);
  startToasts();
  startCountdowns();
}
