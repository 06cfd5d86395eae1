import { type ChangeEvent, type FormEvent, useEffect, useEffectEvent, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { isSignedOut, noticeOf } from '../admin-shared/refusal.ts';
import { SignInAgain } from '../admin-shared/SignInAgain.tsx';
import { useModal } from '../admin-shared/use-modal.ts';
import type { FieldErrors } from '../forms/form-fields.ts';
import { byField } from '../forms/form-fields.ts';
import { Alert, type Notice } from '../ui/Alert.tsx';
import { BusyButton } from '../ui/BusyButton.tsx';
import { Dialog } from '../ui/Dialog.tsx';
import { Field } from '../ui/Field.tsx';
import { toast } from '../ui/toast.ts';
import { createItem, type ImportedDocument, importFile, type SavedItem } from './calls.ts';
import { type DraftPlace, draftsOf, keepDraft, removeDrafts, type StoredDraft, thisSession } from './draft-store.ts';
import { type DraftWriter, startDraftWriter } from './draft-writer.ts';
import { faultsOf, type ItemFields } from './edit-state.ts';
import { importFault } from './files.ts';
import { bodyOf, draftedTexts } from './item-body.ts';
import { Progress } from './Progress.tsx';
import type { Kind } from './records.ts';
import { hasCorrection, texts } from './texts.ts';

interface CreateDialogProps {
  kind: Kind;
  place: DraftPlace;
  /** In Africa/Douala. */
  currentYear: number;
  /** @param remarks what could not be kept of the imported file */
  onCreated: (item: SavedItem, remarks: string[]) => void;
  onClose: () => void;
}

type Imported = Pick<ImportedDocument, 'document' | 'corrige' | 'remarques'>;

/** Creates an item, empty or from a file. Static: it closes, and begins anew, on success or with its buttons (specification §4). */
export default function CreateDialog({ kind, place, currentYear, onCreated, onClose }: CreateDialogProps) {
  const dialog = useModal('#create-titre');
  const form = useRef<HTMLFormElement>(null);
  const [fields, setFields] = useState<ItemFields>({ titre: '', annee: String(currentYear), duree: '' });
  /** Typed in once: their faults are shown from then on. */
  const [typed, setTyped] = useState<readonly string[]>([]);
  const [imported, setImported] = useState<Imported | null>(null);
  const [sent, setSent] = useState<number | null>(null);
  const [busy, setBusy] = useState(false);
  const [refused, setRefused] = useState<FieldErrors>({});
  const [notice, setNotice] = useState<Notice | null>(null);
  const [signedOut, setSignedOut] = useState(false);
  const [held, setHeld] = useState(false);
  /** The browser keeps no drafts. */
  const [unkept, setUnkept] = useState(false);
  const [resumed, setResumed] = useState<readonly StoredDraft[]>([]);
  const writer = useRef<DraftWriter>(null);
  /** Saved or given up: nothing is kept any more. */
  const over = useRef(false);
  /** The title as somebody typed it: one that a file gave makes room for another file's. */
  const typedTitle = useRef('');
  const { create, created, createFailed } = texts[kind];
  const faults = faultsOf(kind, fields, currentYear);
  const shownFaults = { ...refused, ...Object.fromEntries(Object.entries(faults).filter(([field]) => typed.includes(field))) };
  const changed = fields.titre !== '' || fields.annee !== String(currentYear) || imported !== null;

  const write = useEffectEvent(() => {
    if (over.current) return;
    if (!changed) return void removeDrafts([{ place, session: thisSession }]);
    const documents = { contenu: imported?.document ?? null, corrige: imported?.corrige ?? null };
    keepDraft({ place, session: thisSession, draft: { ...fields, ...documents, version: null, at: Date.now() } }).then(
      () => setUnkept(false),
      () => setUnkept(true),
    );
  });
  const resume = useEffectEvent((drafts: StoredDraft[]) => {
    const [latest] = drafts;
    if (!latest || changed) return;
    const { titre, annee, contenu, corrige } = latest.draft;
    setFields({ titre, annee, duree: '' });
    typedTitle.current = titre;
    setTyped(['titre']);
    if (contenu) setImported({ ...draftedTexts(kind, contenu, corrige), remarques: [] });
    setResumed(drafts);
  });

  // biome-ignore lint/correctness/useExhaustiveDependencies: the place of a dialog is decided when it opens
  useEffect(() => {
    const started = startDraftWriter(write);
    writer.current = started;
    draftsOf(place).then(resume);
    return started.stop;
  }, []);

  const losable = unkept && changed;
  useEffect(() => {
    if (!losable) return;
    const warn = (event: BeforeUnloadEvent) => event.preventDefault();
    addEventListener('beforeunload', warn);
    return () => removeEventListener('beforeunload', warn);
  }, [losable]);

  function forget(): void {
    over.current = true;
    removeDrafts([{ place, session: thisSession }, ...resumed]);
  }

  const bind = (field: keyof ItemFields) => ({
    name: field,
    value: fields[field],
    autoComplete: 'off',
    onChange: ({ target: { value } }: { target: { value: string } }) => {
      setFields((before) => ({ ...before, [field]: value }));
      setTyped((before) => (before.includes(field) ? before : [...before, field]));
      setRefused(({ [field]: _gone, ...others }) => others);
      if (field === 'titre') typedTitle.current = value;
      writer.current?.changed();
    },
  });

  async function choose({ target }: ChangeEvent<HTMLInputElement>): Promise<void> {
    const file = target.files?.[0];
    setImported(null);
    setNotice(null);
    setSignedOut(false);
    writer.current?.changed();
    if (!file) return;
    const fault = importFault(file);
    if (fault) {
      target.value = '';
      return setNotice({ kind: 'error', message: fault });
    }
    setSent(0);
    const isTyped = () => typedTitle.current.trim() !== '';
    const hasTitle = !isTyped();
    const answer = await importFile(file, { kind, hasTitle, hasCorrection: hasCorrection(kind) }, setSent);
    setSent(null);
    if (!answer?.ok || !answer.body.document) {
      target.value = '';
      setSignedOut(isSignedOut(answer));
      return setNotice(noticeOf(answer, "Ce document n'a pas pu être importé", 'Ce que vous avez saisi est conservé.'));
    }
    const { titre, document, corrige, remarques } = answer.body as ImportedDocument;
    const isLate = hasTitle && titre !== null && isTyped();
    const late = `Le titre du document, « ${titre} », n'est pas repris : vous en avez saisi un autre entre-temps.`;
    setImported({ document, corrige, remarques: isLate ? [...remarques, late] : remarques });
    if (!isTyped()) setFields((before) => ({ ...before, titre: titre ?? '' }));
    setTyped((before) => (before.includes('titre') ? before : [...before, 'titre']));
    writer.current?.changed();
  }

  async function submit(event: FormEvent): Promise<void> {
    event.preventDefault();
    if (busy || sent !== null) return;
    const [fault] = Object.values(faults);
    if (fault) return refuse(fault);
    setBusy(true);
    setNotice(null);
    setSignedOut(false);
    const documents = { contenu: imported?.document ?? null, corrige: imported?.corrige ?? null };
    const answer = await createItem(kind, { ...bodyOf(kind, fields, documents), discipline_id: place.disciplineId });
    setBusy(false);
    if (answer?.ok) {
      toast('success', created);
      forget();
      dialog.current?.close();
      return onCreated(answer.body as SavedItem, imported?.remarques ?? []);
    }
    const errors = answer?.body.errors ?? [];
    const others = errors.filter(({ field }) => field !== 'titre' && field !== 'annee').map(({ message }) => message);
    flushSync(() => {
      setRefused(byField(['titre', 'annee'], errors));
      setSignedOut(isSignedOut(answer));
      if (others.length > 0) setNotice({ kind: 'error', message: others.join(' ') });
      else if (errors.length === 0) setNotice(noticeOf(answer, createFailed, 'Ce que vous avez saisi est conservé.'));
    });
    refuse(errors[0]?.message);
  }

  function refuse(fault: string | undefined): void {
    // For lessons a validation error is said in the toast itself (specification §8).
    toast('error', kind === 'course' && fault ? fault : createFailed);
    form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
  }

  return (
    <Dialog
      ref={dialog}
      id="create-title"
      title={create}
      open={false}
      closeHref=""
      onHeld={changed || busy || sent !== null ? () => setHeld(true) : undefined}
      onClose={() => {
        forget();
        onClose();
      }}
    >
      <form className="form" noValidate ref={form} onSubmit={submit}>
        <div aria-live="assertive">
          {notice && <Alert notice={notice} />}
          {signedOut && <SignInAgain>Revenez ensuite ici et créez de nouveau.</SignInAgain>}
        </div>
        {resumed.length > 0 && (
          <p className="field__hint" role="status">
            Ce que vous aviez commencé est repris ici.
          </p>
        )}
        <Field id="create-titre" label="Titre" error={shownFaults.titre} input={{ ...bind('titre'), type: 'text' }} />
        {kind === 'pastExam' && (
          <Field
            id="create-annee"
            label="Année"
            error={shownFaults.annee}
            input={{ ...bind('annee'), type: 'text', inputMode: 'numeric' }}
          />
        )}
        <div className="field">
          <label htmlFor="create-file">Importer un document (Word ou Markdown)</label>
          <p className="field__hint" id="create-file-hint">
            Facultatif. Fichier .docx ou .md, 10 Mo maximum
          </p>
          <input
            className="input"
            type="file"
            id="create-file"
            accept=".docx,.md,.markdown"
            aria-describedby="create-file-hint"
            onChange={choose}
          />
          <div aria-live="polite">
            {sent !== null && <Progress label="Envoi du document" sent={sent} after="Lecture du document..." />}
            {imported && (
              <p className="field__hint">
                {imported.remarques.length === 0
                  ? 'Document lu.'
                  : `Document lu, avec ${imported.remarques.length} remarque(s) à vérifier ensuite.`}
              </p>
            )}
          </div>
        </div>
        {losable && (
          <p className="field__hint" role="status">
            Ce navigateur ne garde pas de brouillon : créez avant de quitter cette page.
          </p>
        )}
        {held && (
          <p className="field__hint" role="status">
            Rien n'est encore créé. « Annuler » abandonne ce que vous avez saisi.
          </p>
        )}
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
