import { useState } from 'react';
import { isSignedOut, noticeOf } from '../../admin-shared/refusal.ts';
import { SignInAgain } from '../../admin-shared/SignInAgain.tsx';
import { useModal } from '../../admin-shared/use-modal.ts';
import { Alert, type Notice } from '../../ui/Alert.tsx';
import { BusyButton } from '../../ui/BusyButton.tsx';
import { Dialog } from '../../ui/Dialog.tsx';
import { toast } from '../../ui/toast.ts';
import type { DraftSummary } from '../items/records.ts';
import { countedRemarks, unplanned } from '../list/drafts-of.ts';
import { type Outcome, publishDrafts } from './publish-calls.ts';

interface PublishAllDialogProps {
  drafts: readonly DraftSummary[];
  onPublished: () => void;
  onClose: () => void;
}

/** Publishes drafts. Those with a time of publication wait for it; those that are refused stay, each with its reason. */
export default function PublishAllDialog({ drafts, onPublished, onClose }: PublishAllDialogProps) {
  const dialog = useModal();
  const [asked] = useState(() => unplanned(drafts));
  const [planned] = useState(drafts.length - asked.length);
  const unsettled = asked.filter(({ remarques }) => remarques.length > 0);
  const [busy, setBusy] = useState(false);
  const [notice, setNotice] = useState<Notice | null>(null);
  const [signedOut, setSignedOut] = useState(false);
  const [refused, setRefused] = useState<readonly Outcome[] | null>(null);

  async function publish(): Promise<void> {
    if (busy) return;
    setBusy(true);
    setNotice(null);
    const answer = await publishDrafts(asked);
    setBusy(false);
    if (!answer?.ok || !Array.isArray(answer.body)) {
      setSignedOut(isSignedOut(answer));
      return setNotice(noticeOf(answer, 'La publication a échoué', "Ce qui n'est pas publié reste parmi les brouillons."));
    }
    const left = (answer.body as Outcome[]).filter(({ publie }) => !publie);
    const done = asked.length - left.length;
    if (done > 0) toast('success', done === 1 ? '1 contenu publié' : `${done} contenus publiés`);
    onPublished();
    if (left.length === 0) return dialog.current?.close();
    setRefused(left);
  }

  function titleOf(id: number): string {
    const draft = asked.find((one) => one.id === id);
    return draft?.intitule || draft?.titre || 'Sans titre';
  }

  return (
    <Dialog ref={dialog} id="publish-all-title" title="Publier les brouillons" dismissible={!busy} onClose={onClose}>
      <div className="form">
        <div aria-live="assertive">
          {notice && <Alert notice={notice} />}
          {signedOut && <SignInAgain>Revenez ensuite ici et publiez de nouveau.</SignInAgain>}
        </div>
        {refused ? (
          <>
            <p>{refused.length === 1 ? "Ce brouillon n'a pas pu être publié :" : "Ces brouillons n'ont pas pu être publiés :"}</p>
            <ul>
              {refused.map(({ id, message, errors = [] }) => (
                <li key={id}>
                  <strong>{titleOf(id)}</strong>. {errors.map((error) => error.message).join(' ') || message}
                </li>
              ))}
            </ul>
          </>
        ) : (
          <>
            <p>
              {asked.length > 1
                ? `${asked.length} brouillons deviennent visibles pour les candidats, à la fin de la liste, dans l'ordre affiché.`
                : `${asked.length} brouillon devient visible pour les candidats, à la fin de la liste.`}
            </p>
            {unsettled.length > 0 && (
              <Alert
                notice={{
                  kind: 'warning',
                  message:
                    unsettled.length === 1
                      ? 'Un brouillon a des remarques qui ne sont pas réglées'
                      : `${unsettled.length} brouillons ont des remarques qui ne sont pas réglées`,
                  detail: 'Une fois le contenu publié, elles ne sont plus affichées.',
                }}
              >
                <ul>
                  {unsettled.map(({ id, remarques }) => (
                    <li key={id}>{`${titleOf(id)} : ${countedRemarks(remarques.length)}`}</li>
                  ))}
                </ul>
              </Alert>
            )}
            {planned > 0 && (
              <p>
                {planned > 1
                  ? `${planned} brouillons programmés paraîtront à leur heure.`
                  : `${planned} brouillon programmé paraîtra à son heure.`}
              </p>
            )}
          </>
        )}
        <div className="dialog__actions">
          <button className="button button--quiet" type="button" data-closes>
            {refused ? 'Fermer' : 'Annuler'}
          </button>
          {!refused && asked.length > 0 && (
            <BusyButton type="button" label={`Publier (${asked.length})`} busyLabel="Publication..." busy={busy} onClick={publish} />
          )}
        </div>
      </div>
    </Dialog>
  );
}
