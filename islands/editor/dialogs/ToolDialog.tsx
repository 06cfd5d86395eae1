import { type FormEvent, type ReactNode, useRef } from 'react';
import { createPortal } from 'react-dom';
import { useModal } from '../../admin-shared/use-modal.ts';
import { Dialog } from '../../ui/Dialog.tsx';

interface ToolDialogProps {
  title: string;
  action: string;
  disabled?: boolean;
  wide?: boolean;
  /** Selector of the element to focus when the dialog opens and when the action is refused. */
  first?: string;
  /** Returns whether the dialog can close. */
  onSubmit: () => boolean | Promise<boolean>;
  onClose: () => void;
  /** An additional button before the others. */
  further?: ReactNode;
  children: ReactNode;
}

/** A dialog of the editor: fields, 'Annuler' and one action. Rendered at the end of the page, because the editor may be inside a form. */
export function ToolDialog({ title, action, disabled, wide, first, onSubmit, onClose, further, children }: ToolDialogProps) {
  const dialog = useModal(first);
  const sending = useRef(false);

  async function submit(event: FormEvent): Promise<void> {
    event.preventDefault();
    // React would bubble the event from the portal to the form around the editor.
    event.stopPropagation();
    // Ignores the second click of a double click.
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
    // The browser's close event comes later, and keys typed until then would be lost.
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
