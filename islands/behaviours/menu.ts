import { closest } from './closest.ts';

const menu = 'details[data-behaviour="menu"]';

/** `<details data-behaviour="menu">` closes on Escape, on a click outside, and when it loses the focus. */
export function startMenus(): void {
  const closeAllBut = (kept: Element | null) => {
    for (const open of document.querySelectorAll<HTMLDetailsElement>(`${menu}[open]`)) if (open !== kept) open.open = false;
  };
  document.addEventListener('click', (event) => closeAllBut(closest(event, menu)));
  document.addEventListener('focusin', (event) => closeAllBut(closest(event, menu)));
  document.addEventListener('keydown', (event) => {
    const open = event.key === 'Escape' ? closest<HTMLDetailsElement>(event, `${menu}[open]`) : null;
    if (!open) return;
    open.open = false;
    open.querySelector('summary')?.focus();
  });
}
