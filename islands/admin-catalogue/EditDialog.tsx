import { type FormEvent, useReducer, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { SignInAgain } from '../admin-shared/SignInAgain.tsx';
import { useModal } from '../admin-shared/use-modal.ts';
import type { Answer } from '../runtime/post.ts';
import { sendForm } from '../runtime/send-form.ts';
import { Alert } from '../ui/Alert.tsx';
import { BusyButton } from '../ui/BusyButton.tsx';
import { Dialog } from '../ui/Dialog.tsx';
import { toast } from '../ui/toast.ts';
import { UploadProgress } from '../ui/UploadProgress.tsx';
import { EditFields } from './EditFields.tsx';
import { beginEdit, faultsOf, isChanged, isFilled, reduceEdit, shownFaults, shownPictureFault } from './edit-state.ts';
import { PictureField } from './PictureField.tsx';
import type { AnyRecord, Kind } from './records.ts';
import { texts } from './texts.ts';

interface EditDialogProps {
  kind: Kind;
  /** Null to create a record. */
  record: AnyRecord | null;
  /** Additional fields of a new record that are not typed. */
  further: Record<string, string>;
  onSaved: (record: AnyRecord) => void;
  onGone: (id: number) => void;
  /** Called if somebody else has saved the record in the meantime. */
  onOutdated: (current: AnyRecord) => void;
  onClose: () => void;
}

/** Creates or edits a prepa or a discipline. After a change, only the dialog's buttons close the dialog. */
export function EditDialog({ kind, record, further, onSaved, onGone, onOutdated, onClose }: EditDialogProps) {
  const dialog = useModal();
  const form = useRef<HTMLFormElement>(null);
  const notice = useRef<HTMLDivElement>(null);
  const [state, dispatch] = useReducer(reduceEdit, null, () => beginEdit(kind, record));
  const [held, setHeld] = useState(false);
  const { path, createTitle, editTitle, created, updated, createFailed, updateFailed, gone } = texts[kind];
  const creating = record === null;
  const failure = creating ? createFailed : updateFailed;

  async function submit(event: FormEvent<HTMLFormElement>): Promise<void> {
    event.preventDefault();
    if (state.busy) return;
    flushSync(() => dispatch({ type: 'submitted' }));
    if (Object.keys(faultsOf(kind, state.values)).length > 0 || state.pictureFault !== null) return toWhatIsWrong();

    dispatch({ type: 'sending' });
    const answer = await send();
    if (answer?.ok) {
      toast('success', creating ? created : updated);
      dialog.current?.close();
      return onSaved(answer.body as AnyRecord);
    }
    if (!creating && answer?.status === 404) {
      toast('error', gone);
      // Close first: an open modal dialog prevents elements behind it from taking the focus.
      dialog.current?.close();
      return onGone(record.id);
    }
    const { errors, imageError, current, message } = answer?.body ?? {};
    if (current) onOutdated(current);
    // If the dialog was closed during the request, only a toast can show the error.
    if (!dialog.current) return toast('error', imageError ?? message ?? failure);
    if (!errors && !imageError && !current) toast('error', failure);
    flushSync(() => dispatch({ type: 'refused', answer, kind, failure }));
    toWhatIsWrong();
  }

  function send(): Promise<Answer<AnyRecord & { current: AnyRecord }> | null> {
    const data = new FormData();
    for (const [field, value] of Object.entries(state.values)) data.set(field, value);
    if (creating) for (const [field, value] of Object.entries(further)) data.set(field, value);
    else data.set('version', String(state.version));
    if (state.image) data.set('image', state.image);
    const address = creating ? path : `${path}/${record.id}`;
    return sendForm(creating ? 'POST' : 'PUT', address, data, (sent) => dispatch({ type: 'progressed', sent }));
  }

  /** Focuses the first invalid field, else the notice, which may be scrolled out of view. */
  function toWhatIsWrong(): void {
    (form.current?.querySelector<HTMLElement>('[aria-invalid="true"]') ?? notice.current)?.focus();
  }

  return (
    <Dialog
      ref={dialog}
      id="edit-title"
      title={creating ? createTitle : editTitle}
      closeHref="/admin/dashboard"
      onHeld={state.busy || isChanged(state) ? () => setHeld(true) : undefined}
      onClose={onClose}
    >
      <form className="form" noValidate ref={form} onSubmit={submit}>
        <div aria-live="assertive" ref={notice} tabIndex={-1}>
          {state.notice && <Alert notice={state.notice} />}
          {state.signedOut && <SignInAgain>Revenez ensuite ici et enregistrez de nouveau.</SignInAgain>}
        </div>
        <EditFields kind={kind} state={state} faults={shownFaults(kind, state)} dispatch={dispatch} />
        <PictureField
          required={creating && kind === 'prepa'}
          stored={state.stored}
          changedElsewhere={state.pictureChanged}
          error={shownPictureFault(kind, creating, state)}
          nom={kind === 'prepa' ? (state.values.nom ?? '') : null}
          onChosen={(file, fault) => dispatch({ type: 'picture chosen', file, fault })}
        />
        {state.sent !== null && state.image && <UploadProgress label="Envoi de l'image" sent={state.sent} after="Envoi : 100 %" />}
        {held && (
          <p className="field__hint" role="status">
            Vos modifications ne sont pas enregistrées. « Annuler » les abandonne.
          </p>
        )}
        <div className="dialog__actions">
          <button className="button button--quiet" type="button" data-closes>
            Annuler
          </button>
          <BusyButton
            label={creating ? 'Créer' : 'Mettre à jour'}
            busyLabel="Enregistrement..."
            busy={state.busy}
            disabled={!isFilled(kind, creating, state)}
          />
        </div>
      </form>
    </Dialog>
  );
}
