import { isOffline } from '../../../runtime/without-network.ts';
import { showDevice } from './device.ts';
import { showPrepa } from './prepa.ts';

/** `data-behaviour="keeping"`: the page where a prepa is kept, and the page that lists all prepas kept on this device. */
export function start(element: HTMLElement): void {
  // Without network behaviours/offline.ts blocks links. Links to kept prepas work.
  element.addEventListener('click', (event) => {
    if (isOffline() && event.target instanceof Element && event.target.closest('[data-link="open"]')) event.stopPropagation();
  });
  if (element.dataset.page === 'device') void showDevice(element);
  else showPrepa(element);
}
