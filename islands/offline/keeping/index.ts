import { isOffline } from '../../runtime/without-network.ts';
import { showDevice } from './device.ts';
import { showPrepa } from './prepa.ts';

/** `data-behaviour="keeping"`: the page on which a prepa is kept, and that of all that this device keeps. */
export function start(element: HTMLElement): void {
  // Without network a page's links are held back (behaviours/offline.ts), but for those to what is kept.
  element.addEventListener('click', (event) => {
    if (isOffline() && event.target instanceof Element && event.target.closest('[data-link="open"]')) event.stopPropagation();
  });
  if (element.dataset.page === 'device') void showDevice(element);
  else showPrepa(element);
}
