import { type RefObject, useEffect, useRef } from 'react';
import { openModal } from '../ui/modal.ts';

/** The dialog of a component that lives as long as it is open. @param first what takes the focus: its title, or what is typed in at once */
export function useModal(first = '.dialog__title'): RefObject<HTMLDialogElement | null> {
  const dialog = useRef<HTMLDialogElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, when it opens
  useEffect(() => {
    if (!dialog.current || dialog.current.open) return;
    openModal(dialog.current);
    // React keeps `autofocus` to itself: the browser would begin at the cross.
    dialog.current.querySelector<HTMLElement>(first)?.focus();
  }, []);
  return dialog;
}
