import { type FormEvent, useState } from 'react';
import type { ItemKind } from '../../../src/shared/item-kinds.ts';
import { isSignedOut, noticeOf } from '../../admin-shared/refusal.ts';
import { SignInAgain } from '../../admin-shared/SignInAgain.tsx';
import { useModal } from '../../admin-shared/use-modal.ts';
import type { Answer } from '../../runtime/post.ts';
import { Alert, type Notice } from '../../ui/Alert.tsx';
import { BusyButton } from '../../ui/BusyButton.tsx';
import { Dialog } from '../../ui/Dialog.tsx';
import { Field } from '../../ui/Field.tsx';
import { toast } from '../../ui/toast.ts';
import { TextDifferences, type TypedItem } from '../conflict/TextDifferences.tsx';
import type { SaveAnswer, SavedItem } from '../items/calls.ts';
import type { Documents } from '../items/documents.ts';
import type { DraftSummary, Item, KeptDraft } from '../items/records.ts';
import { formatMoment } from '../items/times.ts';
import { planDraft, publishDraft } from './publish-calls.ts';

/** What the open item tells the dialog. */
export interface Publishing {
  /** The published item, with its texts; null for a new item. */
  published: { item: Pick<Item, 'titre' | 'intitule' | 'annee' | 'duree' | 'bareme'>; documents: Documents } | null;
  /** Faults of the fields, in French: with one, the item can be kept, but not published. */
  faults: readonly string[];
  /** The draft on the server, if there is one. */
  draft: DraftSummary | null;
  /** Keeps the text as it is now on the server. Returns the draft's revision, or null after a failure, which the page shows. */
  keep: () => Promise<{ revision: number } | null>;
  onKept: (draft: KeptDraft) => void;
  onPublished: (item: SavedItem) => void;
  /** Called when somebody else has changed the item meanwhile. */
  onOutdated: (answer: SaveAnswer) => void;
}

interface PublishDialogProps extends Publishing {
  kind: ItemKind;
  id: number;
  typed: TypedItem;
  onClose: () => void;
}

/** Publishes the open text now or at a later time, after showing what changes for learners. */
export default function PublishDialog(props: PublishDialogProps) {
  const { kind, id, published, typed, faults, draft } = props;
  const dialog = useModal();
  const [busy, setBusy] = useState<'keep' | 'publish' | 'plan' | null>(null);
  const [notice, setNotice] = useState<Notice | null>(null);
  const [signedOut, setSignedOut] = useState(false);
  const [when, setWhen] = useState('');
  const planned = draft?.publication ?? null;
  const unsettled = draft?.remarques.length ?? 0;

  /** Keeps the text, then sends the call with its draft. Returns the successful response. */
  async function send<Sent>(
    what: 'publish' | 'plan',
    failure: string,
    act: (kept: { revision: number }) => Promise<Answer<Sent> | null>,
  ): Promise<Answer<Sent> | null> {
    if (busy) return null;
    setBusy(what);
    setNotice(null);
    setSignedOut(false);
    const kept = await props.keep();
    if (!kept) {
      setBusy(null);
      dialog.current?.close();
      return null;
    }
    const answer = await act(kept);
    setBusy(null);
    if (answer?.ok) return answer;
    if (answer?.status === 409 && 'current' in answer.body) {
      dialog.current?.close();
      props.onOutdated(answer as SaveAnswer);
      return null;
    }
    setSignedOut(isSignedOut(answer));
    const errors = (answer?.body.errors ?? []).map(({ message }) => message).join('. ');
    setNotice(
      errors ? { kind: 'error', message: failure, detail: errors } : noticeOf(answer, failure, 'Le brouillon est gardé sur le serveur.'),
    );
    return null;
  }

  async function publish(): Promise<void> {
    const answer = await send('publish', 'La publication a échoué', ({ revision }) => publishDraft(id, revision));
    if (!answer) return;
    dialog.current?.close();
    props.onPublished(answer.body as SavedItem);
  }

  async function plan(publication: string | null): Promise<void> {
    const answer = await send('plan', "La date n'a pas pu être fixée", ({ revision }) => planDraft(id, publication, revision));
    if (!answer) return;
    props.onKept(answer.body as KeptDraft);
    toast('success', publication ? `Publication prévue : ${formatMoment(publication, new Date())}` : 'Plus de date de publication');
    dialog.current?.close();
  }

  async function keep(): Promise<void> {
    if (busy) return;
    setBusy('keep');
    const kept = await props.keep();
    setBusy(null);
    if (kept) toast('success', 'Brouillon gardé sur le serveur');
    dialog.current?.close();
  }

  return (
    <Dialog
      ref={dialog}
      id="publish-title"
      title={published ? 'Publier les modifications' : 'Publier ce contenu'}
      className={published ? 'dialog--wide authoring__conflict' : ''}
      dismissible={busy === null}
      onClose={props.onClose}
    >
      <div className="dialog__body form">
        <div aria-live="assertive">
          {notice && <Alert notice={notice} />}
          {signedOut && <SignInAgain>Revenez ensuite ici et publiez de nouveau.</SignInAgain>}
        </div>
        {published ? (
          <>
            <p>
              Ce qui change pour les candidats.{' '}
              <span className="nobreak">
                <del>Barré</del> :
              </span>{' '}
              dans le texte publié seulement.{' '}
              <span className="nobreak">
                <ins>Souligné</ins> :
              </span>{' '}
              dans le vôtre seulement.
            </p>
            <TextDifferences kind={kind} theirs={published.item} stored={published.documents} mine={typed} />
          </>
        ) : (
          <p>Le contenu devient visible pour les candidats, à la fin de sa liste.</p>
        )}
        {faults.length > 0 && <Alert notice={{ kind: 'warning', message: 'À corriger avant de publier', detail: faults.join('. ') }} />}
        {unsettled > 0 && (
          <Alert
            notice={{
              kind: 'warning',
              message: unsettled === 1 ? "1 remarque n'est pas réglée" : `${unsettled} remarques ne sont pas réglées`,
              detail: 'Une fois le contenu publié, les remarques ne sont plus affichées.',
            }}
          />
        )}
        {planned && (
          <p className="actions">
            <span>{`Publication prévue : ${formatMoment(planned, new Date())}.`}</span>
            <button className="button button--quiet" type="button" onClick={() => plan(null)}>
              Enlever la date
            </button>
          </p>
        )}
        <form
          className="authoring__plan"
          noValidate
          onSubmit={(event: FormEvent) => {
            event.preventDefault();
            // Africa/Douala has the same offset all year.
            if (when) plan(new Date(`${when}:00+01:00`).toISOString());
            else setNotice({ kind: 'error', message: 'Choisissez une date et une heure' });
          }}
        >
          <Field
            id="publish-when"
            label="Publier plus tard, le"
            hint="Heure du Cameroun"
            input={{ type: 'datetime-local', value: when, onChange: ({ target }) => setWhen(target.value) }}
          />
          <BusyButton
            className="button button--secondary"
            label="Programmer"
            busyLabel="Enregistrement..."
            busy={busy === 'plan'}
            disabled={faults.length > 0}
          />
        </form>
      </div>
      <div className="dialog__actions">
        <button className="button button--quiet" type="button" data-closes>
          Annuler
        </button>
        {published && (
          <BusyButton
            className="button button--secondary"
            type="button"
            label="Garder en brouillon"
            busyLabel="Enregistrement..."
            busy={busy === 'keep'}
            onClick={keep}
          />
        )}
        <BusyButton
          type="button"
          label="Publier maintenant"
          busyLabel="Publication..."
          busy={busy === 'publish'}
          disabled={faults.length > 0}
          onClick={publish}
        />
      </div>
    </Dialog>
  );
}
