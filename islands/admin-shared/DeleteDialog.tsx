import { type FormEvent, useState } from 'react';
import { flushSync } from 'react-dom';
import { call } from '../runtime/post.ts';
import { Alert, type Notice } from '../ui/Alert.tsx';
import { BusyButton } from '../ui/BusyButton.tsx';
import { Dialog } from '../ui/Dialog.tsx';
import { Field } from '../ui/Field.tsx';
import { toast } from '../ui/toast.ts';
import { isSignedOut, noticeOf } from './refusal.ts';
import { SignInAgain } from './SignInAgain.tsx';
import { sameName } from './same-name.ts';
import { useModal } from './use-modal.ts';

interface DeleteDialogProps {
  name: string;
  question: string;
  /** Address of the DELETE request. */
  address: string;
  failure: string;
  closeHref: string;
  onDeleted: () => void;
  onClose: () => void;
}

interface Asked {
  nom: string;
  /** Token that identifies the losses shown to the administrator. */
  vu: string;
}

/** Asks for confirmation. If learners would lose a paid access, the name must be typed. */
export default function DeleteDialog({ name, question, address, failure, closeHref, onDeleted, onClose }: DeleteDialogProps) {
  const dialog = useModal();
  const [busy, setBusy] = useState(false);
  const [notice, setNotice] = useState<Notice | null>(null);
  const [signedOut, setSignedOut] = useState(false);
  /** The server's request to type the name, for the losses that it has reported. */
  const [asked, setAsked] = useState<Asked | null>(null);
  const wanted = asked?.nom ?? null;
  const [typed, setTyped] = useState('');
  const untyped = wanted !== null && !sameName(typed, wanted);

  async function remove(event: FormEvent): Promise<void> {
    event.preventDefault();
    if (busy || untyped) return;
    setBusy(true);
    const answer = await call<Asked & { confirmationRequired: boolean }>(
      'DELETE',
      address,
      asked === null ? undefined : { confirmation: asked.nom, vu: asked.vu },
    );
    setBusy(false);
    // 404: somebody else has deleted it already.
    if (answer?.ok || answer?.status === 404) {
      toast(answer.ok ? 'success' : 'info', answer.body.message ?? '');
      dialog.current?.close();
      return onDeleted();
    }
    if (answer?.body.confirmationRequired && answer.body.nom && answer.body.vu) {
      const { nom, vu, message = '' } = answer.body;
      // If the dialog was closed during the request, only a toast can say that nothing was deleted.
      if (!dialog.current) return toast('warning', message);
      flushSync(() => {
        setAsked({ nom, vu });
        // The losses have changed: the name must be typed again.
        setTyped('');
        setNotice({ kind: 'warning', message });
      });
      return document.getElementById('delete-confirmation')?.focus();
    }
    toast('error', failure);
    setSignedOut(isSignedOut(answer));
    setNotice(noticeOf(answer, failure, "Rien n'a été supprimé."));
  }

  return (
    <Dialog ref={dialog} id="delete-title" title="Confirmer la suppression" dismissible closeHref={closeHref} onClose={onClose}>
      <form className="form" noValidate onSubmit={remove}>
        <p>
          <strong>{name}</strong>
        </p>
        <p>{question}</p>
        <div aria-live="assertive">
          {notice && <Alert notice={notice} />}
          {signedOut && <SignInAgain>Revenez ensuite ici et confirmez de nouveau.</SignInAgain>}
        </div>
        {wanted !== null && (
          <Field
            id="delete-confirmation"
            label={`Saisissez « ${wanted} » pour confirmer`}
            input={{ type: 'text', autoComplete: 'off', value: typed, onChange: ({ target }) => setTyped(target.value) }}
          />
        )}
        <div className="dialog__actions">
          <button className="button button--quiet" type="button" data-closes>
            Annuler
          </button>
          <BusyButton className="button button--danger" label="Supprimer" busyLabel="Suppression..." busy={busy} disabled={untyped} />
        </div>
      </form>
    </Dialog>
  );
}
