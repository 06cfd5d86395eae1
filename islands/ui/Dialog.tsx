import type { ReactNode, Ref } from 'react';
import { Icon } from './Icon.tsx';

interface DialogProps {
  ref?: Ref<HTMLDialogElement> | undefined;
  /** Of the title; unique in the page. */
  id: string;
  title: string;
  /** Open in the server's HTML. Afterwards the dialog belongs to the browser: the behaviours open and close it. */
  open: boolean;
  /** Where the cross leads without script: the page without the dialog. */
  closeHref: string;
  className?: string;
  view?: string;
  /** However it was closed. */
  onClose?: () => void;
  children: ReactNode;
}

/** The frame of a dialog. The title takes the focus: no keyboard jumps up on a phone. */
export function Dialog({ ref, id, title, open, closeHref, className = '', view, onClose, children }: DialogProps) {
  return (
    <dialog
      ref={ref}
      className={`dialog ${className}`.trim()}
      aria-labelledby={id}
      data-view={view}
      open={open}
      onClose={onClose}
      suppressHydrationWarning
    >
      <a className="icon-button dialog__close" href={closeHref} data-closes aria-label="Fermer">
        <Icon name="close" />
      </a>
      {/* biome-ignore lint/a11y/noAutofocus: where a dialog begins, once it is open */}
      <h2 className="dialog__title" tabIndex={-1} autoFocus id={id}>
        {title}
      </h2>
      {children}
    </dialog>
  );
}
