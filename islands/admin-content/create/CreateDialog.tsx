import { type ChangeEvent, type FormEvent, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { kindDetails } from '../../../src/shared/item-kinds.ts';
import { isSignedOut, noticeOf } from '../../admin-shared/refusal.ts';
import { SignInAgain } from '../../admin-shared/SignInAgain.tsx';
import { useModal } from '../../admin-shared/use-modal.ts';
import { byField } from '../../forms/form-fields.ts';
import type { Answer } from '../../runtime/post.ts';
import { Alert, type Notice } from '../../ui/Alert.tsx';
import { BusyButton } from '../../ui/BusyButton.tsx';
import { Dialog } from '../../ui/Dialog.tsx';
import { Field } from '../../ui/Field.tsx';
import { toast } from '../../ui/toast.ts';
import type { DraftPlace } from '../drafts/draft-store.ts';
import { importFault } from '../import/import-fault.ts';
import { type ImportState, importFile } from '../import/import-file.ts';
import { hasQuestions } from '../import/mend-question.ts';
import { QuestionPreview } from '../import/QuestionPreview.tsx';
import { createItem, type ImportedDocument, type SavedItem } from '../items/calls.ts';
import { createDraft } from '../items/draft-calls.ts';
import { bodyOf } from '../items/item-body.ts';
import type { DraftSummary, KeptDraft } from '../items/records.ts';
import { intituleHint, texts, toastOf } from '../items/texts.ts';
import { draftCreation } from './create-imported.ts';
import { ImportField } from './ImportField.tsx';
import { useNewItem } from './use-new-item.ts';

interface CreateDialogProps {
  place: DraftPlace;
  /** The current year in Africa/Douala. */
  currentYear: number;
  /** Drafts of the discipline. */
  drafts: readonly DraftSummary[];
  /** @param remarks parts of the imported file that could not be kept */
  onCreated: (item: SavedItem, remarks: string[]) => void;
  onDrafted: (draft: KeptDraft) => void;
  onClose: () => void;
}

/** Dialog that creates an item, empty or from a file. It closes only after success or by its buttons (specification §4). */
export default function CreateDialog({ place, currentYear, drafts, onCreated, onDrafted, onClose }: CreateDialogProps) {
  const { kind } = place;
  const dialog = useModal('#create-titre');
  const form = useRef<HTMLFormElement>(null);
  const { fields, faults, shownFaults, imported, changed, draft, bind, ...item } = useNewItem(place, currentYear);
  const [sent, setSent] = useState<ImportState | null>(null);
  const [busy, setBusy] = useState(false);
  const [notice, setNotice] = useState<Notice | null>(null);
  const [signedOut, setSignedOut] = useState(false);
  const [held, setHeld] = useState(false);
  /** The author's choice; before it, imports are drafts. */
  const [chosen, setChosen] = useState<boolean | null>(null);
  const [source, setSource] = useState<string | null>(null);
  const [known] = useState(drafts);
  const [createImported] = useState(draftCreation);
  const isDraft = chosen ?? imported !== null;
  const { create, created, createFailed } = texts[kind];

  async function choose({ target }: ChangeEvent<HTMLInputElement>): Promise<void> {
    const file = target.files?.[0];
    item.removeImport();
    setNotice(null);
    setSignedOut(false);
    if (!file) return;
    const fault = importFault(file);
    if (fault) {
      target.value = '';
      return setNotice({ kind: 'error', message: fault });
    }
    setSent(0);
    const hasTitle = !item.isTitleTyped();
    const answer = await importFile(
      file,
      { kind, hasTitle, hasCorrection: kindDetails[kind].hasCorrection === true, hasQuestions: true },
      setSent,
    );
    setSent(null);
    if (answer?.ok && answer.body.document) {
      setSource(file.name);
      return item.takeImport(answer.body as ImportedDocument, hasTitle);
    }
    target.value = '';
    setSignedOut(isSignedOut(answer));
    setNotice(noticeOf(answer, "Ce document n'a pas pu être importé", 'Ce que vous avez saisi est conservé.'));
  }

  async function submit(event: FormEvent): Promise<void> {
    event.preventDefault();
    if (busy || sent !== null) return;
    const [fault] = Object.values(faults);
    if (fault) return refuse(fault);
    setBusy(true);
    setNotice(null);
    setSignedOut(false);
    const body = { ...bodyOf(kind, fields, item.documents), discipline_id: place.disciplineId };
    const remarques = imported?.remarques ?? [];
    const createNow = () => (isDraft ? createDraft(kind, body, { remarques }) : createItem(kind, body));
    const answer: Answer<SavedItem & { brouillon: KeptDraft }> | null =
      isDraft && imported && source ? await createImported(place, body, { source, remarques, known }) : await createNow();
    setBusy(false);
    const drafted = answer?.body.brouillon;
    if (answer?.ok && drafted) {
      toast('success', 'Brouillon créé');
      draft.forget();
      dialog.current?.close();
      return onDrafted(drafted);
    }
    if (answer?.ok) {
      toast('success', created);
      draft.forget();
      dialog.current?.close();
      return onCreated(answer.body as SavedItem, remarques);
    }
    const errors = answer?.body.errors ?? [];
    const others = errors.filter(({ field }) => !['titre', 'intitule', 'annee'].includes(field)).map(({ message }) => message);
    flushSync(() => {
      item.refuse(byField(['titre', 'intitule', 'annee'], errors));
      setSignedOut(isSignedOut(answer));
      if (others.length > 0) setNotice({ kind: 'error', message: others.join(' ') });
      else if (errors.length === 0) setNotice(noticeOf(answer, createFailed, 'Ce que vous avez saisi est conservé.'));
    });
    refuse(errors[0]?.message);
  }

  function refuse(fault: string | undefined): void {
    toast('error', toastOf(kind, fault, createFailed));
    form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
  }

  return (
    <Dialog
      ref={dialog}
      id="create-title"
      title={create}
      onHeld={changed || busy || sent !== null ? () => setHeld(true) : undefined}
      onClose={() => {
        draft.forget();
        onClose();
      }}
    >
      <form className="form" noValidate ref={form} onSubmit={submit}>
        <div aria-live="assertive">
          {notice && <Alert notice={notice} />}
          {signedOut && <SignInAgain>Revenez ensuite ici et créez de nouveau.</SignInAgain>}
        </div>
        {draft.resumed && (
          <p className="field__hint" role="status">
            Ce que vous aviez commencé est repris ici.
          </p>
        )}
        <Field id="create-titre" label="Titre" error={shownFaults.titre} input={{ ...bind('titre'), type: 'text' }} />
        <Field
          id="create-intitule"
          label="Intitulé complet (facultatif)"
          hint={intituleHint}
          error={shownFaults.intitule}
          input={{ ...bind('intitule'), type: 'text', required: false }}
        />
        {kindDetails[kind].hasAnnee && (
          <Field
            id="create-annee"
            label="Année"
            error={shownFaults.annee}
            input={{ ...bind('annee'), type: 'text', inputMode: 'numeric' }}
          />
        )}
        <ImportField sent={sent} remarks={imported?.remarques} onChoose={choose} />
        {imported && hasQuestions(imported.document) && (
          <QuestionPreview key={imported.number} document={imported.document} onChange={item.mendImport} />
        )}
        {draft.losable && (
          <p className="field__hint" role="status">
            Ce navigateur ne garde pas de brouillon : créez avant de quitter cette page.
          </p>
        )}
        {held && (
          <p className="field__hint" role="status">
            Rien n'est encore créé. « Annuler » abandonne ce que vous avez saisi.
          </p>
        )}
        <label className="choice">
          <input type="checkbox" checked={isDraft} onChange={({ target }) => setChosen(target.checked)} />
          <span>Garder en brouillon : les candidats ne le voient pas encore</span>
        </label>
        <div className="dialog__actions">
          <button className="button button--quiet" type="button" data-closes>
            Annuler
          </button>
          <BusyButton
            label="Créer"
            busyLabel="Création..."
            busy={busy}
            disabled={fields.titre.trim() === '' || Object.keys(faults).length > 0 || sent !== null}
          />
        </div>
      </form>
    </Dialog>
  );
}
