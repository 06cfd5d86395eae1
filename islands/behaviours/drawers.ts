import { openModal } from '../ui/modal.ts';
import { closest } from './closest.ts';

const narrow = matchMedia('(max-width: 991.98px)');

/**
 * `<a href="#id" data-opens-drawer>`: below 992 px, shows the side column `data-drawer="start|end"` around #id as a drawer. The column
 * moves into a dialog and back to its place; the hash of the page's own URL does the same. At any width, a `<details>` around #id is opened.
 */
export function start(): void {
  document.addEventListener('click', (event) => {
    if (event.ctrlKey || event.metaKey || event.shiftKey) return;
    const opener = closest<HTMLAnchorElement>(event, 'a[data-opens-drawer]');
    const target = opener && document.getElementById(opener.hash.slice(1));
    const column = target?.closest<HTMLElement>('[data-drawer]');
    if (!column) return;
    const details = target?.closest('details');
    if (details) details.open = true;
    if (!narrow.matches || !('HTMLDialogElement' in globalThis)) return;
    event.preventDefault();
    open(column, details?.querySelector('summary') ?? column.querySelector('h2'));
  });
  // A link from another page: `/user/dashboard#dates`.
  const linked = location.hash.length > 1 ? document.getElementById(location.hash.slice(1)) : null;
  const column = linked?.closest<HTMLElement>('[data-drawer]');
  if (column && narrow.matches && 'HTMLDialogElement' in globalThis) open(column, column.querySelector('h2'));
}

function open(column: HTMLElement, first: HTMLElement | null): void {
  const drawer = document.createElement('dialog');
  drawer.className = `drawer drawer--${column.dataset.drawer}`;
  drawer.setAttribute('aria-labelledby', column.getAttribute('aria-labelledby') ?? '');
  drawer.innerHTML =
    '<button class="icon-button dialog__close" type="button" data-closes aria-label="Fermer"><svg class="icon" aria-hidden="true"><use href="#i-close"/></svg></button>';
  const place = document.createComment('');
  column.replaceWith(place);
  drawer.append(column);
  place.after(drawer);
  drawer.addEventListener('click', (event) => {
    // A click on the backdrop has the dialog as target, but lies outside its box.
    const { left, right } = drawer.getBoundingClientRect();
    if (event.target === drawer && (event.clientX < left || event.clientX > right)) drawer.close();
  });
  const widened = () => drawer.close();
  narrow.addEventListener('change', widened);
  drawer.addEventListener('close', () => {
    narrow.removeEventListener('change', widened);
    place.replaceWith(column);
    drawer.remove();
  });
  openModal(drawer);
  if (first && first.tabIndex < 0) first.tabIndex = -1;
  first?.focus();
}
