import { startCovers } from './covers.ts';
import { startDialogs } from './dialogs.ts';
import { startMenus } from './menu.ts';
import { startStudyToggle } from './study-toggle.ts';
import { startSubmitOnce } from './submit-once.ts';
import { startToasts } from './toasts.ts';
import { startVideos } from './videos.ts';

/** What is not on every page is fetched by those that have it. Without it their links and forms do the same. */
const lazyBehaviours: Record<string, () => Promise<{ start(element: HTMLElement): void }>> = {
  '.bell': () => import('./bell.ts'),
  '[data-behaviour="fresh"]': () => import('./page-restored.ts'),
  '[data-opens-drawer]': () => import('./drawers.ts'),
  '[data-behaviour="catalogue"]': () => import('./catalogue.ts'),
  '[data-behaviour="countdown"]': () => import('./countdown.ts'),
  '[data-behaviour="print"]': () => import('./print.ts'),
  '[data-behaviour="refresh"]': () => import('./refresh.ts'),
  '[data-behaviour="timer"]': () => import('./timer.ts'),
};

/** Small behaviours that need no React. */
export function startBehaviours(hydrate: (island: HTMLElement) => Promise<void>): void {
  startDialogs(hydrate);
  startToasts();
  startMenus();
  startSubmitOnce();
  startStudyToggle();
  startVideos();
  startCovers();
  for (const [selector, load] of Object.entries(lazyBehaviours)) {
    const element = document.querySelector<HTMLElement>(selector);
    if (element) load().then(({ start }) => start(element), ignore);
  }
}

const ignore = () => {};
