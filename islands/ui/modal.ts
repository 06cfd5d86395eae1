import { raiseToasts } from './raise-toasts.ts';

/** Opens a modal dialog and closes any other. After closing, the browser restores the focus. */
export function openModal(dialog: HTMLDialogElement): void {
  for (const open of document.querySelectorAll<HTMLDialogElement>('dialog[open]')) open.close();
  dialog.showModal();
  raiseToasts();
}
