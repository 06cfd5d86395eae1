import { closest } from './closest.ts';

/** Below 768 px the list of contents hides the text: choosing an item closes it. Above, the toggle is not shown. */
export function startStudyToggle(): void {
  document.addEventListener('click', (event) => {
    if (!closest(event, '.toc__item[href]')) return;
    const toggle = document.querySelector<HTMLDetailsElement>('.study__toggle');
    if (toggle) toggle.open = false;
  });
}
