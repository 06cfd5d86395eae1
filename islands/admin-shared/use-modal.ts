import { type RefObject, useEffect, useRef } from 'react';
import { openModal } from '../ui/modal.ts';

/** Opens a dialog when its component is mounted. @param first selector of the element to focus: the title, or the first field */
export function useModal(first = '.dialog__title'): RefObject<HTMLDialogElement | null> {
  const dialog = useRef<HTMLDialogElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs once, when the dialog opens
  useEffect(() => {
    if (!dialog.current || dialog.current.open) return;
    openModal(dialog.current);
    // React does not set `autofocus`, so the browser would focus the close button.
    dialog.current.querySelector<HTMLElement>(first)?.focus();
  }, []);
  return dialog;
}
