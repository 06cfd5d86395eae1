import { type FormEvent, useEffect, useEffectEvent, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { Late } from '../admin-shared/Late.tsx';
import { RichTextEditor } from '../editor/RichTextEditor.tsx';
import { Field } from '../ui/Field.tsx';
import { Icon } from '../ui/Icon.tsx';
import { Tabs, tabPanel } from '../ui/tabs/Tabs.tsx';
import { toast } from '../ui/toast.ts';
import { type SavedItem, uploadImage } from './calls.ts';
import { DocumentList } from './DocumentList.tsx';
import { DraftOffer } from './DraftOffer.tsx';
import type { DraftPlace, StoredDraft } from './draft-store.ts';
import { faultsOf, type ItemFields } from './edit-state.ts';
import { Remarks } from './Remarks.tsx';
import { type AttachedDocument, type Item, type ItemSummary, type Kind, labelOf, summaryOf, type TextField } from './records.ts';
import { SaveBar } from './SaveBar.tsx';
import { reviveItem, saveChanges } from './saving.ts';
import { Troubles } from './Troubles.tsx';
import { texts } from './texts.ts';
import type { Unsaved } from './use-drafted.ts';
import { type Documents, useEditing } from './use-editing.ts';

export interface ItemEditorProps {
  kind: Kind;
  item: Item;
  /** Where it stands now: the list may have been ordered anew. */
  page: number;
  /** Of its list. */
  pages: number;
  place: DraftPlace;
  drafts: StoredDraft[];
  /** Its tab is shown. */
  active: boolean;
  currentYear: number;
  /** It was created just now: what could not be kept of its text. */
  created: string[] | null;
  onOpened: (name: string) => void;
  onChanged: (item: ItemSummary) => void;
  onUnsaved: (unsaved: Unsaved) => void;
  onGone: () => void;
  onRevived: (item: SavedItem) => void;
}

type Task = { what: 'versions' | 'preview' } | { what: 'import'; file: File };

const loadVersions = () => import('./VersionsDialog.tsx');
const loadPreview = () => import('./PreviewDialog.tsx');
const loadImport = () => import('./ImportDialog.tsx');

/** The item that is open: its title, year and texts, and everything that is done with them (specification §2, §4, §5). */
export function ItemEditor(props: ItemEditorProps) {
  const { kind, item, page, place, active, created, currentYear, onRevived } = props;
  const editing = useEditing({ ...props, remarks: created ?? [] });
  const { state, dispatch } = editing;
  const { fields, tab: tabName } = texts[kind];
  const [shown, setShown] = useState<TextField>('contenu');
  const [task, setTask] = useState<Task | null>(null);
  const [attached, setAttached] = useState<readonly AttachedDocument[]>(item.documents);
  const form = useRef<HTMLFormElement>(null);
  const faults = faultsOf(kind, state, currentYear);
  const faulty = Object.keys(faults).length > 0;
  const errors = { ...state.refused, ...faults };
  const name = labelOf(kind, { numero_page: page, annee: item.annee });

  async function save(version = state.stored.version): Promise<void> {
    if (state.sending) return;
    const fault = faults.titre ?? faults.annee ?? faults.duree;
    if (fault) {
      // For lessons a validation error is said in the toast itself (specification §8).
      toast('error', kind === 'course' ? fault : texts[kind].saveFailed);
      return toFault();
    }
    if (await saveChanges(kind, item.id, editing, version, props)) return;
    toFault();
  }

  const toFault = () => form.current?.querySelector<HTMLElement>('input[aria-invalid="true"]')?.focus();

  async function revive(): Promise<void> {
    if (state.sending) return;
    const revived = await reviveItem(kind, place.disciplineId, editing);
    if (revived) onRevived(revived);
  }

  const onKey = useEffectEvent((event: KeyboardEvent) => {
    if (event.key.toLowerCase() !== 's' || !(event.ctrlKey || event.metaKey) || event.altKey || event.shiftKey || !active) return;
    event.preventDefault();
    if (!document.querySelector('dialog[open]')) save();
  });
  useEffect(() => {
    const listen = (event: KeyboardEvent) => onKey(event);
    addEventListener('keydown', listen);
    return () => removeEventListener('keydown', listen);
  }, []);

  const section = useRef<HTMLElement>(null);
  const onOpen = useEffectEvent(() => {
    // On a phone what was chosen stands below the list.
    if (matchMedia('(max-width: 767px)').matches) section.current?.scrollIntoView({ block: 'start' });
    // What has opened is named to those who do not see it; the focus stays in the list, but what was just created is written in at once.
    if (active) props.onOpened(`${name} : ${state.titre}`);
    if (created) section.current?.querySelector<HTMLElement>('.editor__area')?.focus();
  });
  useEffect(() => onOpen(), []);

  const bind = (field: keyof ItemFields) => ({
    name: field,
    value: state[field],
    autoComplete: 'off',
    onChange: ({ target }: { target: { value: string } }) => {
      dispatch({ type: 'typed', field, value: target.value });
      editing.changed();
    },
  });
  const close = () => setTask(null);
  const id = `authoring-${kind}`;

  return (
    <section className="workbench__main authoring__main" ref={section} aria-labelledby={`${id}-title`}>
      <a className="back authoring__back" href={`#authoring-list-${kind}`}>
        <Icon name="back" />
        {`Retour à la liste : ${tabName}`}
      </a>
      <header className="workbench__head">
        <h2 id={`${id}-title`} tabIndex={-1}>
          {name} <span className="badge">{`Page ${page}`}</span>
        </h2>
        <p className="actions authoring__tools">
          <button className="button button--quiet" type="button" onClick={() => setTask({ what: 'preview' })}>
            Aperçu
          </button>
          <button className="button button--quiet" type="button" onClick={() => setTask({ what: 'versions' })}>
            Versions
          </button>
        </p>
      </header>
      <div className="authoring__notices" aria-live="polite">
        {editing.offers.slice(0, 1).map((offer) => (
          <DraftOffer
            key={offer.session}
            offer={offer}
            version={state.stored.version}
            onResume={() => editing.resume(offer)}
            onAbandon={() => editing.abandon(offer)}
          />
        ))}
        {state.trouble && (
          <Troubles
            kind={kind}
            trouble={state.trouble}
            busy={state.sending}
            unkept={state.unkept}
            onRetry={() => save()}
            onSaveMine={(version) => save(version)}
            onTakeTheirs={(theirs) => editing.take(theirs)}
            onRevive={revive}
          />
        )}
        <Remarks remarks={state.remarks} onRead={() => dispatch({ type: 'remarks read' })} />
      </div>
      <form
        className="form authoring__form"
        noValidate
        ref={form}
        onSubmit={(event: FormEvent) => {
          event.preventDefault();
          save();
        }}
      >
        <div className="authoring__fields">
          <Field id={`${id}-titre`} label="Titre" error={errors.titre} input={{ ...bind('titre'), type: 'text' }} />
          {kind === 'pastExam' && (
            <Field id={`${id}-annee`} label="Année" error={errors.annee} input={{ ...bind('annee'), type: 'text', inputMode: 'numeric' }} />
          )}
          {kind !== 'course' && (
            <Field
              id={`${id}-duree`}
              label="Durée conseillée (minutes)"
              error={errors.duree}
              input={{ ...bind('duree'), type: 'text', inputMode: 'numeric' }}
            />
          )}
        </div>
        <div className="authoring__texts">
          {fields.length > 1 && (
            <Tabs
              id={id}
              label="Textes"
              tabs={fields.map(({ field, label }) => ({ name: field, label }))}
              selected={shown}
              onSelect={setShown}
            />
          )}
          {fields.map(({ field, label }) => (
            <div key={field} {...(fields.length > 1 ? tabPanel(id, field) : {})} hidden={field !== shown}>
              <RichTextEditor
                ref={editing.handles[field]}
                label={label}
                initial={editing.initial[field]}
                uploadImage={uploadImage}
                onChange={(doc) => editing.changeText(field, doc)}
                importFile={(file) => setTask({ what: 'import', file })}
              />
            </div>
          ))}
        </div>
        <SaveBar state={state} faulty={faulty} />
      </form>
      <DocumentList kind={kind} itemId={item.id} documents={attached} onChange={setAttached} />
      {task?.what === 'versions' && (
        <Late
          load={loadVersions}
          onFailed={close}
          props={{
            ...{ kind, id: item.id, current: state.stored.version, onClose: close },
            onRestored: (restored: SavedItem) => {
              editing.take(restored);
              props.onChanged(summaryOf(restored));
            },
          }}
        />
      )}
      {task?.what === 'preview' && (
        <Late
          load={loadPreview}
          onFailed={close}
          props={{
            ...{ kind, titre: state.titre, attached, documents: editing.documents(), onClose: close },
            // Somebody else may have deleted it: the list counts it no more.
            label: `Page ${page} sur ${Math.max(page, props.pages)}`,
          }}
        />
      )}
      {task?.what === 'import' && (
        <Late
          load={loadImport}
          onFailed={close}
          props={{
            file: task.file,
            kind,
            field: shown,
            onClose: close,
            filled: fields.map(({ field }) => field).filter((field) => editing.jsonOf(field) !== null),
            documents: editing.documents,
            onImported: (merged: Documents, remarks: string[]) => {
              flushSync(close);
              editing.replaceTexts(merged);
              dispatch({ type: 'remarked', remarks });
            },
          }}
        />
      )}
    </section>
  );
}
