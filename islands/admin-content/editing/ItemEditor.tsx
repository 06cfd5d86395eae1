import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { kindDetails, labelOf, type TextField } from '../../../src/shared/item-kinds.ts';
import { Lazy } from '../../admin-shared/Lazy.tsx';
import type { AttachedDocument } from '../../study/outline.ts';
import { Alert } from '../../ui/Alert.tsx';
import { Icon } from '../../ui/Icon.tsx';
import { toast } from '../../ui/toast.ts';
import type { DraftPlace, StoredDraft } from '../drafts/draft-store.ts';
import type { Unsaved } from '../drafts/use-drafts.ts';
import type { SavedItem } from '../items/calls.ts';
import { faultsOf } from '../items/item-fields.ts';
import { type DraftSummary, htmlOf, type Item, type ItemSummary, type KeptDraft, summaryOf } from '../items/records.ts';
import { texts, toastOf } from '../items/texts.ts';
import { planOf } from '../list/drafts-of.ts';
import { isModified } from './edit-state.ts';
import type { ItemTask } from './ItemDialogs.tsx';
import { ItemForm } from './ItemForm.tsx';
import { Presence } from './Presence.tsx';
import { SaveProblem } from './SaveProblem.tsx';
import { type Opened, reviveItem, saveChanges } from './saving.ts';
import { useEditing } from './use-editing.ts';
import { useEveryMinute } from './use-every-minute.ts';
import { useKeptDraft } from './use-kept-draft.ts';

interface ItemEditorProps {
  /** Whether the text is that of a published item or the draft of a new one. */
  opened: Opened;
  /** The draft on the server, with its texts, if the item is published; else null. */
  found: KeptDraft | null;
  /** The draft on the server as the list knows it. */
  draft: DraftSummary | null;
  item: Item;
  /** The item's current position, which reordering changes. */
  page: number;
  pages: number;
  place: DraftPlace;
  drafts: StoredDraft[];
  /** Whether the item's tab is shown. */
  active: boolean;
  currentYear: number;
  /** Parts of the text that could not be kept, if the item was created just now; otherwise null. */
  created: readonly string[] | null;
  /** Called with the item's name, for screen readers, once its text is loaded. */
  onOpened: (name: string) => void;
  onChanged: (item: ItemSummary) => void;
  onUnsaved: (unsaved: Unsaved) => void;
  /** Called if somebody else has deleted the item. */
  onGone: () => void;
  onRevived: (item: SavedItem) => void;
  onKept: (draft: KeptDraft) => void;
  /** Called once the text's draft is no longer on the server. */
  onDraftOver: () => void;
  /** Called when the draft of a new item has become the item. */
  onPublished: (item: SavedItem) => void;
  onCopied: (draft: KeptDraft) => void;
}

const loadDialogs = () => import('./ItemDialogs.tsx');
const loadFoot = () => import('./ItemFoot.tsx');
const loadRemarks = () => import('./Remarks.tsx');
const loadOffer = () => import('../drafts/DraftOffer.tsx');
const loadKeptOffer = () => import('../drafts/KeptDraftOffer.tsx');

/** The open item: its title, year, texts and actions (specification §2, §4, §5). */
export function ItemEditor(props: ItemEditorProps) {
  const { opened, item, page, place, active, created, currentYear, onRevived, onKept, onDraftOver } = props;
  const { kind } = place;
  const editing = useEditing({ ...props, remarks: created ?? [] });
  const { state, dispatch } = editing;
  const server = useKeptDraft({ opened, kind, id: item.id, found: props.found, editing, onKept });
  const [shown, setShown] = useState<TextField>('contenu');
  const [task, setTask] = useState<ItemTask | null>(null);
  const [attached, setAttached] = useState<readonly AttachedDocument[]>(item.documents);
  const form = useRef<HTMLFormElement>(null);
  const section = useRef<HTMLElement>(null);
  const faults = faultsOf(kind, state, currentYear);
  const isDraft = opened === 'draft';
  /** Remarks on the import of the draft, which the server keeps until the author settles them. */
  const imported = (isDraft && props.draft?.remarques) || [];
  const remarks = [...new Set([...imported, ...state.remarks])];
  const name = isDraft ? kindDetails[kind].name : labelOf(kind, { numero_page: page, annee: item.annee ?? null });
  const id = `authoring-${kind}`;

  async function save(version = state.stored.version): Promise<void> {
    if (state.sending) return;
    const fault = faults.titre ?? faults.intitule ?? faults.annee ?? faults.duree ?? faults.bareme;
    if (fault && !isDraft) {
      toast('error', toastOf(kind, fault, texts[kind].saveFailed));
      return toFault();
    }
    const contained = server.revision();
    if (!(await saveChanges(kind, item.id, editing, { ...props, version, contained }))) return toFault();
    if (contained === null) return;
    server.forget();
    onDraftOver();
  }

  /** Keeps the text on the server, unpublished. Returns the draft; null on failure, which the state shows. */
  async function keep(): Promise<{ revision: number } | null> {
    if (!isDraft) return server.keep();
    if (!isModified(state)) return { revision: state.stored.version };
    const saved = await saveChanges(kind, item.id, editing, { ...props, version: state.stored.version, isQuiet: true });
    return saved && { revision: saved.version };
  }

  useEveryMinute(() => {
    // A refused save waits for its author; one without an answer is sent again.
    const isRefused = state.problem !== null && state.problem.what !== 'offline';
    if (isDraft && isModified(state) && !state.sending && !isRefused) keep();
  });

  function settle(published: SavedItem): void {
    if (isDraft) {
      toast('success', texts[kind].created);
      props.onPublished(published);
      return;
    }
    toast('success', texts[kind].updated);
    const { titre, intitule, annee, duree, bareme } = state;
    dispatch({ type: 'saved', item: published, sent: { titre, intitule, annee, duree, bareme }, remarks: published.remarques ?? [] });
    editing.settle(published, editing.documents());
    props.onChanged(summaryOf(published));
    server.forget();
    onDraftOver();
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

  const onOpen = useEffectEvent(() => {
    // On a phone, the item is below the list.
    if (matchMedia('(max-width: 767px)').matches) section.current?.scrollIntoView({ block: 'start' });
    // Announce the item to screen readers. The focus stays in the list, except for a new item, whose text gets it.
    if (active) props.onOpened(`${name} : ${state.titre}`);
    if (created) section.current?.querySelector<HTMLElement>('.editor__area')?.focus();
  });
  useEffect(() => onOpen(), []);

  return (
    <section className="workbench__main authoring__main" ref={section} aria-labelledby={`${id}-title`}>
      <a className="back authoring__back" href={`#authoring-list-${kind}`}>
        <Icon name="back" />
        <span>{`Retour à la liste : ${kindDetails[kind].list}`}</span>
      </a>
      <header className="workbench__head">
        <h2 id={`${id}-title`} tabIndex={-1}>
          {name} <span className="badge">{isDraft ? 'Brouillon' : `Page ${page}`}</span>
        </h2>
      </header>
      <div className="authoring__notices" aria-live="polite">
        <Presence itemId={item.id} />
        {server.offer && (
          <Lazy
            load={loadKeptOffer}
            onFailed={() => {}}
            props={{
              draft: server.offer,
              onResume: server.resume,
              onDeleted: () => {
                server.forget();
                onDraftOver();
              },
            }}
          />
        )}
        {isDraft && props.draft && planOf(props.draft) && <Alert notice={{ kind: 'info', message: planOf(props.draft) ?? '' }} />}
        {editing.offers.slice(0, 1).map((offer) => (
          <Lazy
            key={offer.session}
            load={loadOffer}
            onFailed={() => {}}
            props={{
              offer,
              version: state.stored.version,
              onResume: () => editing.resume(offer),
              onAbandon: () => editing.abandon(offer),
            }}
          />
        ))}
        {state.problem && (
          <SaveProblem
            kind={kind}
            problem={state.problem}
            editing={editing}
            onRetry={() => save()}
            onSaveMine={(version) => save(version)}
            onRevive={revive}
          />
        )}
        {remarks.length > 0 && (
          <Lazy
            load={loadRemarks}
            onFailed={() => {}}
            props={{
              draft: props.draft,
              kind,
              remarks,
              imported,
              editing,
              save: (remarques) => saveChanges(kind, item.id, editing, { ...props, version: state.stored.version, remarques }),
              onShow: setShown,
              onKept,
            }}
          />
        )}
      </div>
      <ItemForm
        ref={form}
        kind={kind}
        editing={editing}
        faults={faults}
        shown={shown}
        onShow={setShown}
        onTask={setTask}
        onSave={() => save()}
        opened={opened}
      />
      <Lazy
        whenNear
        load={loadFoot}
        onFailed={() => {}}
        props={{
          kind,
          id: item.id,
          isDraft,
          attached,
          questionsHref:
            !isDraft && htmlOf(item, 'contenu').includes('<section class="question"')
              ? `/admin/discipline/${place.disciplineId}/epreuve?item=${item.id}`
              : null,
          onAttached: setAttached,
          onCopied: props.onCopied,
        }}
      />
      {task && (
        <Lazy
          load={loadDialogs}
          onFailed={() => setTask(null)}
          props={{
            task,
            kind,
            itemId: item.id,
            page,
            pages: props.pages,
            editing,
            attached,
            field: shown,
            onChanged: props.onChanged,
            publishing: {
              published: isDraft ? null : { item: state.stored, documents: editing.storedDocuments() },
              faults: Object.values(faults),
              draft: props.draft,
              keep,
              onKept: (kept) => {
                onKept(kept);
                if (isDraft) {
                  dispatch({ type: 'planned', revision: kept.revision });
                  editing.planned(kept.revision);
                } else server.adopt(kept.revision);
              },
              onPublished: settle,
              onOutdated: (answer) => dispatch({ type: 'refused', answer, failure: texts[kind].saveFailed }),
            },
            onClose: () => setTask(null),
          }}
        />
      )}
    </section>
  );
}
