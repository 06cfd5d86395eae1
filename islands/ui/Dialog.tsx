import type { KeyboardEvent, MouseEvent, ReactNode, Ref } from 'react';
import { Icon } from './Icon.tsx';

interface DialogProps {
  ref?: Ref<HTMLDialogElement> | undefined;
  /** Of the title; unique in the page. */
  id: string;
  title: string;
  /** Open in the server's HTML. Afterwards the dialog belongs to the browser: the behaviours open and close it. */
  open?: boolean;
  /** Where the cross leads without script: the page without the dialog. */
  closeHref?: string;
  className?: string;
  /** The class of its place: in the middle, or 'drawer drawer--end' at the side. */
  frame?: string;
  view?: string;
  /** Something would be lost: neither Escape nor a phone's way back closes it, only its buttons do. Called when that is tried. */
  onHeld?: (() => void) | undefined;
  /** A click beside it closes it. */
  dismissible?: boolean;
  /** However it was closed. */
  onClose?: () => void;
  children: ReactNode;
}

/** The frame of a dialog. The title takes the focus: no keyboard jumps up on a phone. */
export function Dialog({
  ref,
  id,
  title,
  open = false,
  closeHref = '',
  className = '',
  frame = 'dialog',
  view,
  onHeld,
  dismissible,
  onClose,
  children,
}: DialogProps) {
  function hold(event: { preventDefault(): void }): void {
    if (!onHeld) return;
    event.preventDefault();
    onHeld();
  }
  return (
    <dialog
      ref={ref}
      className={`${frame} ${className}`.trim()}
      aria-labelledby={id}
      data-view={view}
      open={open}
      // Where it is known, also the way back of Android is held; elsewhere the two events do what they can.
      {...(onHeld ? { closedby: 'none' } : {})}
      // A file picker that is left without a choice says 'cancel' too.
      onCancel={(event) => event.target === event.currentTarget && hold(event)}
      onKeyDown={(event: KeyboardEvent) => event.key === 'Escape' && hold(event)}
      onClick={(event: MouseEvent<HTMLDialogElement>) => {
        if (dismissible && event.target === event.currentTarget && isBeside(event)) event.currentTarget.close();
      }}
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

/** The backdrop belongs to the dialog, as its own padding does. */
function isBeside({ clientX, clientY, currentTarget }: MouseEvent<HTMLDialogElement>): boolean {
  const { left, right, top, bottom } = currentTarget.getBoundingClientRect();
  return clientX < left || clientX > right || clientY < top || clientY > bottom;
}
