import { raiseToasts } from './raise-toasts.ts';

/** Shows a dialog above the page; only one is open at a time. Closed, it gives the focus back to where it came from. */
export function openModal(dialog: HTMLDialogElement): void {
  for (const open of document.querySelectorAll<HTMLDialogElement>('dialog[open]')) open.close();
  dialog.showModal();
  raiseToasts();
}
