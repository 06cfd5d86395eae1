import type { KeyboardEvent, MouseEvent, ReactNode, Ref } from 'react';
import { Icon } from './Icon.tsx';

interface DialogProps {
  ref?: Ref<HTMLDialogElement> | undefined;
  /** Id of the title, unique in the page. */
  id: string;
  title: string;
  /** Whether the dialog is open in the server's HTML. Afterwards the behaviours open and close it. */
  open?: boolean;
  /** Target of the close button without script: the page without the dialog. */
  closeHref?: string;
  className?: string;
  /** Class of the position: by default centred, or 'drawer drawer--end' for the side. */
  frame?: string;
  view?: string;
  /** Prevents closing by Escape or Android's back gesture, because text would be lost. Called when that is tried. */
  onHeld?: (() => void) | undefined;
  /** Whether a click on the backdrop closes the dialog. */
  dismissible?: boolean;
  /** Called after any kind of closing. */
  onClose?: () => void;
  children: ReactNode;
}

/** The frame of a dialog. The title gets the focus, so that no keyboard opens on a phone. */
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
      // `closedby` also prevents Android's back gesture. Browsers without it have only the two events below.
      {...(onHeld ? { closedby: 'none' } : {})}
      // Cancelling a file picker fires a cancel event too, which bubbles up.
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
      {/* biome-ignore lint/a11y/noAutofocus: the title gets the focus when the dialog opens */}
      <h2 className="dialog__title" tabIndex={-1} autoFocus id={id}>
        {title}
      </h2>
      {children}
    </dialog>
  );
}

/** Returns whether a click was on the backdrop. Both the backdrop and the padding have the dialog as target. */
function isBeside({ clientX, clientY, currentTarget }: MouseEvent<HTMLDialogElement>): boolean {
  const { left, right, top, bottom } = currentTarget.getBoundingClientRect();
  return clientX < left || clientX > right || clientY < top || clientY > bottom;
}
