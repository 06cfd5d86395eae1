import type { ItemKind } from '../../../src/shared/item-kinds.ts';
import type { Answer } from '../../runtime/post.ts';
import { toast } from '../../ui/toast.ts';
import { createItem, type SavedItem, saveItem } from '../items/calls.ts';
import { saveDraft } from '../items/draft-calls.ts';
import { bodyOf } from '../items/item-body.ts';
import { type ItemSummary, summaryOf } from '../items/records.ts';
import { type Base, sendTexts } from '../items/send-texts.ts';
import { texts, toastOf } from '../items/texts.ts';
import type { Sent } from './sent.ts';
import type { Editing } from './use-editing.ts';

export const bodyNow = (kind: ItemKind, { state, jsonOf }: Editing) =>
  bodyOf(kind, state, { contenu: jsonOf('contenu'), corrige: jsonOf('corrige') });

/** What the open text is: that of a published item, or the draft of a new one. */
export type Opened = 'item' | 'draft';

interface Saving {
  opened: Opened;
  /** The version or revision on which the text is based. */
  version: number;
  /** Revision of the published item's draft that the text contains. */
  contained?: number | null;
  /** Whether nothing is shown besides the state: for a save that nobody asked for. */
  isQuiet?: boolean;
  /** The remarks on its import that a draft still has; without them, it keeps those it had. */
  remarques?: readonly string[];
  onChanged: (item: ItemSummary) => void;
  onGone: () => void;
}

/** Returns the stored texts if they are those of the version on which the edit is based. */
export const storedBase = (opened: Opened, version: number, { storedDocuments, storedVersion }: Editing): Base | null =>
  storedVersion() === version ? { documents: storedDocuments(), of: opened === 'draft' ? { revision: version } : { version } } : null;

/** Whether the server may have stored a save although its answer does not say so: the answer was lost, or is no answer to the save. */
export const mayBeStored = (answer: Answer | null): boolean => !answer || answer.status >= 500 || answer.status === 401;

/** Saves the open item or draft. Returns it; null on failure: the text stays, and the state holds the reason. */
export async function saveChanges(kind: ItemKind, id: number, editing: Editing, saving: Saving): Promise<SavedItem | null> {
  const { titre, intitule, annee, duree, bareme } = editing.state;
  const now = {
    fields: { titre, intitule, annee, duree, bareme },
    documents: editing.documents(),
    body: bodyNow(kind, editing),
    remarques: saving.remarques,
    version: saving.version,
  };
  const before = editing.unanswered.current;
  if (!before) return send(kind, id, editing, { ...saving, sent: now });
  // The server may have stored this draft: sent again, it is no conflict, and the text written since has the right base.
  const stored = await send(kind, id, editing, { ...saving, isQuiet: true, sent: before });
  if (stored) return send(kind, id, editing, { ...saving, sent: { ...now, version: stored.version } });
  if (!saving.isQuiet) toast('error', texts[kind].saveFailed);
  return null;
}

async function send(
  kind: ItemKind,
  id: number,
  editing: Editing,
  { opened, contained = null, isQuiet = false, onChanged, onGone, sent }: Omit<Saving, 'version'> & { sent: Sent },
): Promise<SavedItem | null> {
  const { saveFailed } = texts[kind];
  const { dispatch } = editing;
  const { fields, documents, body, remarques, version } = sent;
  dispatch({ type: 'sending' });
  const base = storedBase(opened, version, editing);
  const answer = await sendTexts({ kind, body, documents, base }, (body) =>
    opened === 'draft'
      ? saveDraft(id, { ...body, ...(remarques && { remarques }) }, version)
      : saveItem(kind, id, { ...body, version, ...(contained === null ? {} : { brouillon: contained }) }),
  );
  editing.unanswered.current = opened === 'draft' && mayBeStored(answer) ? sent : null;
  if (answer?.ok) {
    const item = answer.body as SavedItem;
    if (!isQuiet) toast('success', opened === 'draft' ? 'Brouillon enregistré' : texts[kind].updated);
    dispatch({ type: 'saved', item, sent: fields, remarks: item.remarques ?? [] });
    editing.settle(item, documents);
    onChanged(summaryOf(item));
    return item;
  }
  const [fault] = answer?.body.errors ?? [];
  // The draft was published or deleted meanwhile: its text goes on as a change of the item, or is offered to be created again.
  const isOver = opened === 'draft' && answer?.status === 404;
  if (!isQuiet) toast('error', (isOver && answer.body.message) || toastOf(kind, fault?.message, saveFailed));
  dispatch({ type: 'refused', answer, failure: saveFailed });
  if (answer?.status === 404) onGone();
  return null;
}

/** Creates a new item from the open one, which was deleted. Returns null on failure. */
export async function reviveItem(kind: ItemKind, disciplineId: number, editing: Editing): Promise<SavedItem | null> {
  const { created, createFailed } = texts[kind];
  const answer = await createItem(kind, { ...bodyNow(kind, editing), discipline_id: disciplineId });
  if (answer?.ok) {
    toast('success', created);
    return answer.body as SavedItem;
  }
  toast('error', [createFailed, answer?.body.message].filter(Boolean).join('. '));
  return null;
}
