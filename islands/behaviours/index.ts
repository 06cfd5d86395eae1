import { startBell } from './bell.ts';
import { startFresh } from './came-back.ts';
import { startCountdowns } from './countdown.ts';
import { startCovers } from './covers.ts';
import { startDialogs } from './dialogs.ts';
import { startMenus } from './menu.ts';
import { startRefresh } from './refresh.ts';
import { startSentForms } from './sent-forms.ts';
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
  startFresh();
  startSentForms();
  startStudyToggle();
  startVideos();
  startBell();
  startCovers();
  // What few pages have is fetched by them. Without it their links and forms do the same.
  if (document.querySelector('[data-opens-drawer]')) import('./drawers.ts').then(({ startDrawers }) => startDrawers(), ignore);
  const catalogue = document.querySelector<HTMLElement>('[data-behaviour="catalogue"]');
  if (catalogue) import('./catalogue.ts').then(({ startCatalogue }) => startCatalogue(catalogue), ignore);
  const timer = document.querySelector<HTMLElement>('[data-behaviour="timer"]');
  if (timer) import('./timer.ts').then(({ startTimer }) => startTimer(timer), ignore);
}

const ignore = () => {};
