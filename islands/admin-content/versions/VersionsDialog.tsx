import { useEffect, useState } from 'react';
import type { ItemKind } from '../../../src/shared/item-kinds.ts';
import { maxListedVersions } from '../../../src/shared/item-versions.ts';
import { Lazy } from '../../admin-shared/Lazy.tsx';
import { isSignedOut, noticeOf } from '../../admin-shared/refusal.ts';
import { SignInAgain } from '../../admin-shared/SignInAgain.tsx';
import { useModal } from '../../admin-shared/use-modal.ts';
import type { Answer } from '../../runtime/post.ts';
import { Alert, type Notice } from '../../ui/Alert.tsx';
import { Dialog } from '../../ui/Dialog.tsx';
import { ReadFailure } from '../../ui/ReadFailure.tsx';
import { toast } from '../../ui/toast.ts';
import type { TypedItem } from '../conflict/TextDifferences.tsx';
import type { SavedItem } from '../items/calls.ts';
import type { Documents } from '../items/documents.ts';
import type { ItemVersion, VersionSummary } from '../items/records.ts';
import { StoredText } from '../items/StoredText.tsx';
import { readVersion, readVersions, restoreVersion } from './version-calls.ts';
import { versionLines } from './version-lines.ts';

interface VersionsDialogProps {
  kind: ItemKind;
  id: number;
  /** The version of the open item. */
  current: number;
  /** Returns the item as typed now. */
  typed: () => TypedItem;
  /** Returns a version's texts as documents. */
  read: (version: ItemVersion) => Documents;
  onRestored: (item: SavedItem) => void;
  onClose: () => void;
}

const loadDifferences = () => import('./VersionDifferences.tsx');

const failures = {
  list: 'Erreur lors de la récupération des versions',
  one: 'Erreur lors du chargement de cette version',
  restore: 'Erreur lors de la restauration de cette version',
};

/** Lists the saved versions of an item, with date and author, to view and restore. */
export default function VersionsDialog({ kind, id, current, typed, read, onRestored, onClose }: VersionsDialogProps) {
  const dialog = useModal();
  const [versions, setVersions] = useState<VersionSummary[] | null>(null);
  const [shown, setShown] = useState<ItemVersion | null>(null);
  const [listFailed, setListFailed] = useState(false);
  const [asked, setAsked] = useState(0);
  const [notice, setNotice] = useState<Notice | null>(null);
  const [signedOut, setSignedOut] = useState(false);
  const [busy, setBusy] = useState(false);
  const [compared, setCompared] = useState(false);
  const lines = versionLines(versions ?? [], new Date());

  // biome-ignore lint/correctness/useExhaustiveDependencies: a new value of `asked` starts a new request
  useEffect(() => {
    let wanted = true;
    setListFailed(false);
    readVersions(kind, id).then((answer) => {
      if (!wanted) return;
      if (answer?.ok && Array.isArray(answer.body)) return setVersions(answer.body as VersionSummary[]);
      setListFailed(true);
      setSignedOut(isSignedOut(answer));
    });
    return () => {
      wanted = false;
    };
  }, [kind, id, asked]);

  function refuse(answer: Answer | null, failure: string): void {
    setSignedOut(isSignedOut(answer));
    setNotice(noticeOf(answer, failure, "Rien n'a changé."));
  }

  async function look(version: number): Promise<void> {
    setNotice(null);
    setCompared(false);
    const answer = await readVersion(kind, id, version);
    if (!answer?.ok) return refuse(answer, failures.one);
    setShown(answer.body as ItemVersion);
  }

  async function restore(version: number): Promise<void> {
    if (busy) return;
    setBusy(true);
    setNotice(null);
    const answer = await restoreVersion(kind, id, version, current);
    setBusy(false);
    if (!answer?.ok) return refuse(answer, failures.restore);
    toast('success', 'Version restaurée avec succès');
    dialog.current?.close();
    onRestored(answer.body as SavedItem);
  }

  return (
    <Dialog ref={dialog} id="versions-title" title="Versions enregistrées" className="dialog--wide" dismissible onClose={onClose}>
      <div className="dialog__body">
        <div aria-live="polite" aria-busy={versions === null && !listFailed}>
          {versions === null && !listFailed && <p className="workbench__waiting">Chargement...</p>}
          {listFailed && <ReadFailure message={failures.list} onRetry={() => setAsked((times) => times + 1)} />}
          {notice && <Alert notice={notice} />}
          {signedOut && <SignInAgain>Revenez ensuite ici et réessayez.</SignInAgain>}
        </div>
        {versions && (
          <ol className="plain authoring__versions">
            {versions.map((version, index) => (
              <li key={version.version}>
                <button
                  className="workbench__select"
                  type="button"
                  aria-expanded={shown?.version === version.version}
                  onClick={() => (shown?.version === version.version ? setShown(null) : look(version.version))}
                >
                  <span>
                    <span className="tabular">{lines[index]?.moment}</span>, {version.saved_by ?? 'chargée au terminal'}{' '}
                    {version.current && <span className="badge badge--success">Version actuelle</span>}
                  </span>{' '}
                  <span className="field__hint tabular">{lines[index]?.details}</span>
                </button>
                {shown?.version === version.version && (
                  <>
                    {compared ? (
                      <Lazy
                        load={loadDifferences}
                        onFailed={() => setCompared(false)}
                        props={{ kind, version: shown, stored: read(shown), mine: typed() }}
                      />
                    ) : (
                      <StoredText kind={kind} item={shown} />
                    )}
                    {!version.current && (
                      <p className="actions">
                        <button className="button button--quiet" type="button" onClick={() => setCompared(!compared)}>
                          {compared ? 'Voir cette version en entier' : 'Voir les différences'}
                        </button>
                        <button
                          className="button button--secondary"
                          type="button"
                          aria-busy={busy}
                          onClick={() => restore(version.version)}
                        >
                          Restaurer cette version
                        </button>
                      </p>
                    )}
                  </>
                )}
              </li>
            ))}
          </ol>
        )}
        {versions && versions.length >= maxListedVersions && (
          <p className="field__hint">{`Les ${maxListedVersions} versions les plus récentes sont affichées.`}</p>
        )}
        <p className="field__hint">
          Une version restaurée devient la plus récente ; les autres restent. Ce qui n'est pas enregistré est mis de côté.
        </p>
      </div>
    </Dialog>
  );
}
