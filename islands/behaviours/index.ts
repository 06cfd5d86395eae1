import { behaviours } from '../registry.ts';
import { startAppearance } from './appearance.ts';
import { startCovers } from './covers.ts';
import { startDialogs } from './dialogs.ts';
import { startFigures } from './figures.ts';
import { startMenus } from './menu.ts';
import { startOffline } from './offline.ts';
import { startQuestions } from './questions.ts';
import { startSignedOut } from './signed-out.ts';
import { startStudyToggle } from './study-toggle.ts';
import { startSubmitOnce } from './submit-once.ts';
import { startToasts } from './toasts.ts';
import { startVideos } from './videos.ts';

/** Starts the small behaviours that need no React. */
export function startBehaviours(hydrate: (island: HTMLElement) => Promise<void>): void {
  startDialogs(hydrate);
  startToasts();
  startMenus();
  startOffline();
  startSignedOut();
  startSubmitOnce();
  startStudyToggle();
  startVideos();
  startCovers();
  startFigures();
  startQuestions();
  startAppearance();
  for (const [selector, load] of Object.entries(behaviours)) {
    const element = document.querySelector<HTMLElement>(selector);
    if (element) load().then(({ start }) => start(element), ignore);
  }
}

const ignore = () => {};
