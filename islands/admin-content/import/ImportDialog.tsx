import { useEffect, useRef, useState } from 'react';
import type { ItemKind, TextField } from '../../../src/shared/item-kinds.ts';
import { sayRule } from '../../../src/shared/questions/marking-rule.ts';
import { noticeOf } from '../../admin-shared/refusal.ts';
import { useModal } from '../../admin-shared/use-modal.ts';
import { Alert, type Notice } from '../../ui/Alert.tsx';
import { Dialog } from '../../ui/Dialog.tsx';
import type { ImportedDocument } from '../items/calls.ts';
import type { Documents } from '../items/documents.ts';
import { textsOf } from '../items/texts.ts';
import { ImportProgress } from './ImportProgress.tsx';
import { importFault } from './import-fault.ts';
import { type ImportState, importFile } from './import-file.ts';
import { hasCorrectionApart, type ImportManner, mergeImport } from './merge-import.ts';
import { QuestionPreview } from './QuestionPreview.tsx';

interface ImportDialogProps {
  file: File;
  kind: ItemKind;
  /** The text that receives the file's text. */
  field: TextField;
  /** Texts that are not empty. */
  filled: readonly TextField[];
  documents: () => Documents;
  /** @param merged the item's texts with the file's @param remarks parts of the file that could not be kept */
  onImported: (merged: Documents, remarks: string[]) => void;
  onClose: () => void;
}

const unchanged = "Votre texte n'a pas changé.";

/** Reads a file, shows its questions, then asks where to insert its text. Changes nothing before the author's choice. */
export default function ImportDialog({ file, kind, field, filled, documents, onImported, onClose }: ImportDialogProps) {
  const dialog = useModal();
  const [sent, setSent] = useState<ImportState>(0);
  const [imported, setImported] = useState<ImportedDocument | null>(null);
  const [notice, setNotice] = useState<Notice | null>(null);
  const asked = useRef(false);
  const label = textsOf(kind).find((one) => one.field === field)?.label;
  const count = imported?.questions.length ?? 0;
  const replacesBoth = imported?.corrige != null && filled.includes('corrige');
  const replaces = replacesBoth ? 'Remplacer les deux textes' : 'Remplacer le texte';

  useEffect(() => {
    // Send the file only once, even if React runs this effect again.
    if (asked.current) return;
    asked.current = true;
    const fault = importFault(file);
    if (fault) return setNotice({ kind: 'error', message: fault });
    // hasTitle: false, because the open item has its title already.
    importFile(
      file,
      { kind, hasTitle: false, hasCorrection: hasCorrectionApart(kind, field), hasQuestions: field === 'contenu' },
      setSent,
    ).then((answer) => {
      if (!answer?.ok || !answer.body.document)
        return setNotice({ detail: unchanged, ...noticeOf(answer, "Ce document n'a pas pu être importé", unchanged) });
      setImported(answer.body as ImportedDocument);
    });
  }, [file, kind, field]);

  const take = (read: ImportedDocument, how: ImportManner) => onImported(mergeImport(documents(), read, { field, how }), read.remarques);

  return (
    <Dialog
      ref={dialog}
      className={count > 0 ? 'dialog--wide' : ''}
      id="import-title"
      title="Importer un document"
      closeHref={typeof location === 'undefined' ? '' : location.pathname}
      onClose={onClose}
    >
      <div className="dialog__body">
        <p>
          <strong>{file.name}</strong>
        </p>
        <div aria-live="polite">
          {notice && <Alert notice={notice} />}
          {!notice && !imported && <ImportProgress state={sent} />}
          {imported && (
            <>
              <p>
                {count === 0
                  ? `Le document est lu. Où mettre son texte (${label}) ? Vous pourrez annuler.`
                  : `Le document est lu. Ses questions et leurs textes vont à la fin du texte (${label}). Vous pourrez annuler.`}
              </p>
              {imported.corrige && (
                <p>
                  {`Le document a aussi un corrigé : il ira dans l'onglet « Corrigé »${replacesBoth ? ', où il y a déjà un texte' : ''}.`}
                </p>
              )}
              {imported.bareme && <p>{`Barème du fichier, à saisir vous-même : ${sayRule(imported.bareme)}.`}</p>}
              {imported.remarques.length > 0 && <p>{`À vérifier ensuite : ${imported.remarques.length} remarque(s).`}</p>}
            </>
          )}
        </div>
        {imported && count > 0 && (
          <QuestionPreview document={imported.document} onChange={(document) => setImported({ ...imported, document })} />
        )}
      </div>
      <div className="dialog__actions">
        <button className="button button--quiet" type="button" data-closes>
          {notice ? 'Fermer' : 'Annuler'}
        </button>
        {imported && count === 0 && (
          <>
            <button className="button button--secondary" type="button" onClick={() => take(imported, 'append')}>
              Ajouter à la fin
            </button>
            <button className="button" type="button" onClick={() => take(imported, 'replace')}>
              {replaces}
            </button>
          </>
        )}
        {imported && count > 0 && (
          <>
            {filled.includes(field) && (
              <button className="button button--secondary" type="button" onClick={() => take(imported, 'replace')}>
                {replaces}
              </button>
            )}
            <button className="button" type="button" onClick={() => take(imported, 'append')}>
              {count === 1 ? 'Importer la question' : `Importer ${count} questions`}
            </button>
          </>
        )}
      </div>
    </Dialog>
  );
}
