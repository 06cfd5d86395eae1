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
import { draftsPerRequest, type Outcome, publishDrafts } from './publish-calls.ts';

interface PublishAllDialogProps {
  drafts: readonly DraftSummary[];
  onPublished: () => void;
  onClose: () => void;
}

/** Publishes drafts, in batches. Those with a time of publication wait for it; those that are refused stay, each with its reason. */
export default function PublishAllDialog({ drafts, onPublished, onClose }: PublishAllDialogProps) {
  const dialog = useModal();
  const [all] = useState(() => unplanned(drafts));
  /** Those that no request has published or refused. */
  const [asked, setAsked] = useState(all);
  const [done, setDone] = useState(0);
  const [planned] = useState(drafts.length - asked.length);
  const unsettled = asked.filter(({ remarques }) => remarques.length > 0);
  const [busy, setBusy] = useState(false);
  const [notice, setNotice] = useState<Notice | null>(null);
  const [signedOut, setSignedOut] = useState(false);
  const [refused, setRefused] = useState<readonly Outcome[]>([]);
  const over = refused.length > 0 && asked.length === 0;

  async function publish(): Promise<void> {
    if (busy) return;
    setBusy(true);
    setNotice(null);
    setSignedOut(false);
    let published = 0;
    const left = [...refused];
    const say = () => {
      if (published > 0) toast('success', published === 1 ? '1 contenu publié' : `${published} contenus publiés`);
    };
    for (let at = 0; at < asked.length; at += draftsPerRequest) {
      setDone(at);
      const answer = await publishDrafts(asked.slice(at, at + draftsPerRequest));
      if (!answer?.ok || !Array.isArray(answer.body)) {
        setBusy(false);
        setAsked(asked.slice(at));
        setRefused(left);
        setSignedOut(isSignedOut(answer));
        setNotice(noticeOf(answer, 'La publication a échoué', "Ce qui n'est pas publié reste parmi les brouillons."));
        say();
        if (at > 0) onPublished();
        return;
      }
      const outcomes = answer.body as Outcome[];
      published += outcomes.filter(({ publie }) => publie).length;
      left.push(...outcomes.filter(({ publie }) => !publie));
    }
    setBusy(false);
    setAsked([]);
    say();
    onPublished();
    if (left.length === 0) return dialog.current?.close();
    setRefused(left);
  }

  function titleOf(id: number): string {
    const draft = all.find((one) => one.id === id);
    return draft?.intitule || draft?.titre || 'Sans titre';
  }

  return (
    <Dialog ref={dialog} id="publish-all-title" title="Publier les brouillons" dismissible={!busy} onClose={onClose}>
      <div className="form">
        <div aria-live="assertive">
          {notice && <Alert notice={notice} />}
          {signedOut && <SignInAgain>Revenez ensuite ici et publiez de nouveau.</SignInAgain>}
        </div>
        {over ? (
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
        {busy && asked.length > draftsPerRequest && (
          <div className="workbench__progress" role="status">
            <progress className="progress" value={done} max={asked.length} aria-label="Publication" />
            <span className="tabular">{`${done} sur ${asked.length}`}</span>
          </div>
        )}
        <div className="dialog__actions">
          <button className="button button--quiet" type="button" data-closes>
            {over ? 'Fermer' : 'Annuler'}
          </button>
          {!over && asked.length > 0 && (
            <BusyButton type="button" label={`Publier (${asked.length})`} busyLabel="Publication..." busy={busy} onClick={publish} />
          )}
        </div>
      </div>
    </Dialog>
  );
}
