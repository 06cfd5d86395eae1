import { type FormEvent, type ReactNode, useRef } from 'react';
import { createPortal } from 'react-dom';
import { useModal } from '../../admin-shared/use-modal.ts';
import { Dialog } from '../../ui/Dialog.tsx';

interface ToolDialogProps {
  title: string;
  action: string;
  disabled?: boolean;
  wide?: boolean;
  /** Selects what the person goes to at once, and again when the action is refused. */
  first?: string;
  /** Returns whether the dialog is done. */
  onSubmit: () => boolean | Promise<boolean>;
  onClose: () => void;
  /** Before the buttons at the end, another one. */
  further?: ReactNode;
  children: ReactNode;
}

/** A dialog of the editor: fields, 'Annuler' and one action. It stands at the end of the page, since the editor may be part of a form. */
export function ToolDialog({ title, action, disabled, wide, first, onSubmit, onClose, further, children }: ToolDialogProps) {
  const dialog = useModal(first);
  const sending = useRef(false);

  async function submit(event: FormEvent): Promise<void> {
    event.preventDefault();
    // React lets it rise to the component that the editor stands in.
    event.stopPropagation();
    // The second half of a double click.
    if (disabled || sending.current) return;
    sending.current = true;
    const done = await Promise.resolve(onSubmit()).finally(() => {
      sending.current = false;
    });
    if (!done) {
      if (first) dialog.current?.querySelector<HTMLElement>(first)?.focus();
      return;
    }
    dialog.current?.close();
    // The browser tells a moment later, and what is typed meanwhile would go astray.
    onClose();
  }

  return createPortal(
    <Dialog ref={dialog} id="editor-dialog" title={title} closeHref="#" className={wide ? 'dialog--wide' : ''} onClose={onClose}>
      <form className="form" noValidate onSubmit={submit}>
        {children}
        <div className="dialog__actions">
          {further}
          <button className="button button--quiet" type="button" data-closes>
            Annuler
          </button>
          <button className="button" type="submit" disabled={disabled}>
            {action}
          </button>
        </div>
      </form>
    </Dialog>,
    document.body,
  );
}
