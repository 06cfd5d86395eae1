import { openModal } from '../ui/modal.ts';
import { closest } from './closest.ts';

/**
 * `data-opens="name"` opens the dialog of that island at once; its script is loaded meanwhile. `data-closes` closes the dialog around it.
 * If there is no dialog, or its script failed to load and the server's HTML has no form, the link is followed.
 */
export function startDialogs(hydrate: (island: HTMLElement) => Promise<void>): void {
  document.addEventListener('click', (event) => {
    if (event.ctrlKey || event.metaKey || event.shiftKey) return;
    const opener = closest(event, '[data-opens], [data-closes]');
    if (!opener) return;
    const { opens } = opener.dataset;

    const island = opens && document.querySelector<HTMLElement>(`[data-island="${opens}"]`);
    const dialog = island ? dialogOf(island, opener.dataset.view) : opener.closest('dialog');
    // Browsers without <dialog> follow the link, whose page needs no script.
    if (!(dialog instanceof HTMLDialogElement)) return;
    if (island && island.dataset.state === 'failed' && !dialog.querySelector('form')) return;
    event.preventDefault();
    if (island) {
      request(island, opener);
      hydrate(island).catch(() => {});
    }
    if (island) openModal(dialog);
    else dialog.close();
  });

  // A dialog that is open in the server's HTML becomes modal, which traps the focus and closes on Escape.
  for (const dialog of document.querySelectorAll<HTMLDialogElement>('dialog[open]')) {
    const island = dialog.closest<HTMLElement>('[data-island]');
    openModal(dialog);
    if (island) hydrate(island).catch(() => {});
  }
}

function dialogOf(island: HTMLElement, view: string | undefined): Element | null {
  return island.querySelector(view ? `dialog[data-view="${view}"]` : 'dialog');
}

/** Passes the opener's data to the island, and writes them into the server's HTML for the time until React has hydrated it. */
function request(island: HTMLElement, opener: HTMLElement): void {
  // Switching between dialogs of an island keeps the data with which the first was opened.
  const asked = { ...(island.contains(opener) ? island.openRequest : null), ...opener.dataset };
  island.openRequest = asked;
  for (const [name, value = ''] of Object.entries(asked)) {
    for (const input of island.querySelectorAll<HTMLInputElement>(`input[type="hidden"][name="${name}"]`)) input.value = value;
    for (const place of island.querySelectorAll(`[data-fill="${name}"]`)) place.textContent = value;
  }
  for (const part of island.querySelectorAll<HTMLElement>('[data-needs]')) part.hidden = !asked[part.dataset.needs ?? ''];
  island.dispatchEvent(new Event('island:open'));
}
