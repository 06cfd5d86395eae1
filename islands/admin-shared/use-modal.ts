import { type RefObject, useEffect, useRef } from 'react';
import { openModal } from '../ui/modal.ts';

/** The dialog of a component that lives as long as it is open. */
export function useModal(): RefObject<HTMLDialogElement | null> {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    if (!dialog.current || dialog.current.open) return;
    openModal(dialog.current);
    // React keeps `autofocus` to itself: the browser would begin at the cross.
    dialog.current.querySelector<HTMLElement>('.dialog__title')?.focus();
  }, []);
  return dialog;
}
