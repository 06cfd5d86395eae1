import { closest } from './closest.ts';

/** Below 768 px the contents list covers the text, so it closes when an item is chosen. Wider screens have no toggle. */
export function startStudyToggle(): void {
  document.addEventListener('click', (event) => {
    if (!closest(event, '.toc__item[href]')) return;
    const toggle = document.querySelector<HTMLDetailsElement>('.study__toggle');
    if (toggle) toggle.open = false;
  });
}
