import { type ChangeEvent, useRef, useState } from 'react';
import { formatBytes } from '../../../src/shared/bytes.ts';
import type { ItemKind } from '../../../src/shared/item-kinds.ts';
import { Lazy } from '../../admin-shared/Lazy.tsx';
import { isSignedOut, noticeOf } from '../../admin-shared/refusal.ts';
import { SignInAgain } from '../../admin-shared/SignInAgain.tsx';
import type { AttachedDocument } from '../../study/outline.ts';
import { Alert, type Notice } from '../../ui/Alert.tsx';
import { Icon } from '../../ui/Icon.tsx';
import { toast } from '../../ui/toast.ts';
import { UploadProgress } from '../../ui/UploadProgress.tsx';
import { attachDocument } from './file-calls.ts';
import { attachmentFault } from './file-faults.ts';

interface DocumentListProps {
  kind: ItemKind;
  itemId: number;
  documents: readonly AttachedDocument[];
  onChange: (change: (before: readonly AttachedDocument[]) => AttachedDocument[]) => void;
}

const loadDelete = () => import('../../admin-shared/DeleteDialog.tsx');

const failed = "Le document n'a pas été ajouté";

/** The PDF documents of an item, which its readers can download. They are stored at once, not with the text. */
export function DocumentList({ kind, itemId, documents, onChange }: DocumentListProps) {
  const [sent, setSent] = useState<number | null>(null);
  const [notice, setNotice] = useState<Notice | null>(null);
  const [signedOut, setSignedOut] = useState(false);
  const [removing, setRemoving] = useState<AttachedDocument | null>(null);
  const heading = useRef<HTMLHeadingElement>(null);
  const id = `authoring-${kind}-documents`;

  async function attach({ target }: ChangeEvent<HTMLInputElement>): Promise<void> {
    const file = target.files?.[0];
    if (!file || sent !== null) return;
    setNotice(null);
    setSignedOut(false);
    const fault = await attachmentFault(file);
    if (fault) {
      target.value = '';
      return setNotice({ kind: 'error', message: fault });
    }
    setSent(0);
    const answer = await attachDocument(kind, itemId, file, setSent);
    setSent(null);
    // Allows choosing the same file again.
    target.value = '';
    if (answer?.ok) {
      onChange((before) => [...before, answer.body as AttachedDocument]);
      return toast('success', 'Document ajouté avec succès');
    }
    setSignedOut(isSignedOut(answer));
    setNotice(noticeOf(answer, failed, "Le texte n'est pas touché."));
  }

  return (
    <section className="authoring__documents" aria-labelledby={id}>
      <h3 id={id} tabIndex={-1} ref={heading}>
        Documents PDF
      </h3>
      {documents.length === 0 ? (
        <p className="field__hint">Aucun document. Les candidats téléchargent ici ce qui doit être imprimé.</p>
      ) : (
        <ul className="plain">
          {documents.map((document) => (
            <li key={document.id} className="authoring__document">
              <a href={document.url} download>
                {document.nom}
              </a>
              <span className="field__hint tabular">{formatBytes(document.octets)}</span>
              <button
                className="icon-button"
                type="button"
                aria-label={`Supprimer ${document.nom}`}
                title="Supprimer"
                onClick={() => setRemoving(document)}
              >
                <Icon name="delete" />
              </button>
            </li>
          ))}
        </ul>
      )}
      <div aria-live="polite">
        {notice && <Alert notice={notice} />}
        {signedOut && <SignInAgain>Revenez ensuite ici et ajoutez le document de nouveau.</SignInAgain>}
        {sent !== null && <UploadProgress label="Envoi du document" sent={sent} after="Enregistrement..." />}
      </div>
      <div className="field authoring__attach">
        <label htmlFor={`${id}-file`}>Ajouter un document</label>
        <p className="field__hint" id={`${id}-hint`}>
          PDF, 10 Mo maximum
        </p>
        <input
          className="input"
          type="file"
          id={`${id}-file`}
          accept="application/pdf,.pdf"
          aria-describedby={`${id}-hint`}
          disabled={sent !== null}
          onChange={attach}
        />
      </div>
      {removing && (
        <Lazy
          load={loadDelete}
          onFailed={() => setRemoving(null)}
          props={{
            name: removing.nom,
            question: 'Êtes-vous sûr de vouloir supprimer ce document ?',
            address: `/api/documents/${removing.id}`,
            failure: 'Erreur lors de la suppression du document',
            closeHref: '',
            onDeleted: () => {
              onChange((before) => before.filter((document) => document !== removing));
              heading.current?.focus();
            },
            onClose: () => setRemoving(null),
          }}
        />
      )}
    </section>
  );
}
