import { closest } from './closest.ts';

/** Removes a toast when its animation ends (5,000 ms, in the style sheet) or its button is pressed. */
export function startToasts(): void {
  document.addEventListener('animationend', (event) => {
    if (event.animationName === 'toast-leave') closest(event, '.toast')?.remove();
  });
  document.addEventListener('click', (event) => {
    if (closest(event, '[data-dismiss]')) closest(event, '.toast')?.remove();
  });
}
