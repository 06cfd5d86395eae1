/**
 * `data-opens="name"` opens the dialog of the island of that name at once; its script follows. `data-closes` closes the dialog around it.
 * A click on the backdrop closes a dialog unless it carries `data-static`.
 */
export function startDialogs(hydrate: (island: HTMLElement) => Promise<void>): void {
  document.addEventListener('click', (event) => {
    if (!(event.target instanceof Element) || event.ctrlKey || event.metaKey || event.shiftKey) return;

    const opener = event.target.closest<HTMLElement>('[data-opens]');
    const island = opener && document.querySelector<HTMLElement>(`[data-island="${opener.dataset.opens}"]`);
    if (opener && island) {
      event.preventDefault();
      open(island, opener);
      hydrate(island).catch(() => {});
      return;
    }

    const drawer = event.target.closest<HTMLElement>('[data-opens-drawer]');
    if (drawer) {
      const dialog = document.getElementById(drawer.dataset.opensDrawer ?? '');
      if (dialog instanceof HTMLDialogElement) dialog.showModal();
      return;
    }

    const closer = event.target.closest<HTMLElement>('[data-closes]');
    if (closer) {
      event.preventDefault();
      closer.closest('dialog')?.close();
      return;
    }
    if (event.target instanceof HTMLDialogElement && !('static' in event.target.dataset)) event.target.close();
  });

  // A dialog that the server sent open becomes a modal one: focus kept inside, Escape closes.
  for (const dialog of document.querySelectorAll<HTMLDialogElement>('dialog[open]')) {
    dialog.removeAttribute('open');
    dialog.showModal();
    const island = dialog.closest<HTMLElement>('[data-island]');
    if (island) hydrate(island).catch(() => {});
  }
}

function open(island: HTMLElement, opener: HTMLElement): void {
  island.openRequest = { ...opener.dataset };
  const view = opener.dataset.view;
  const dialogs = [...island.querySelectorAll('dialog')];
  const dialog = dialogs.find((candidate) => view === undefined || candidate.dataset.view === view) ?? dialogs[0];
  for (const other of document.querySelectorAll<HTMLDialogElement>('dialog[open]')) other.close();
  dialog?.showModal();
  island.dispatchEvent(new Event('island:open'));
}
