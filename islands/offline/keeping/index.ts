import { showDevice } from './device.ts';
import { showPrepa } from './prepa.ts';

/** `data-behaviour="keeping"`: the page on which a prepa is kept, and that of all that this device keeps. */
export function start(element: HTMLElement): void {
  if (element.dataset.page === 'device') void showDevice(element);
  else showPrepa(element);
}
