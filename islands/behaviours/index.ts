import { startCountdowns } from './countdown.ts';
import { startDialogs } from './dialogs.ts';
import { startMenus } from './menu.ts';
import { startRefresh } from './refresh.ts';
import { startStudyToggle } from './study-toggle.ts';
import { startToasts } from './toasts.ts';
import { startVideos } from './videos.ts';

/** Small behaviours that need no React. */
export function startBehaviours(hydrate: (island: HTMLElement) => Promise<void>): void {
  startDialogs(hydrate);
  startToasts();
  startMenus();
  startCountdowns();
  startRefresh();
  startStudyToggle();
  startVideos();
}
