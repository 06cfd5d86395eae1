import type { ItemKind } from '../../../src/shared/item-kinds.ts';
import { toast } from '../../ui/toast.ts';
import { createItem, type SavedItem, saveItem } from '../items/calls.ts';
import { bodyOf } from '../items/item-body.ts';
import { type ItemSummary, summaryOf } from '../items/records.ts';
import { texts, toastOf } from '../items/texts.ts';
import type { Editing } from './use-editing.ts';

const bodyNow = (kind: ItemKind, { state, jsonOf }: Editing) =>
  bodyOf(kind, state, { contenu: jsonOf('contenu'), corrige: jsonOf('corrige') });

/**
 * Saves the open item. Returns whether it was saved; on failure the text stays and the state holds the reason.
 * @param version the version on which the text is based
 */
export async function saveChanges(
  kind: ItemKind,
  id: number,
  editing: Editing,
  version: number,
  { onChanged, onGone }: { onChanged: (item: ItemSummary) => void; onGone: () => void },
): Promise<boolean> {
  const { updated, saveFailed } = texts[kind];
  const { state, dispatch } = editing;
  const { titre, annee, duree, bareme } = state;
  const sent = { titre, annee, duree, bareme };
  const documents = editing.documents();
  dispatch({ type: 'sending' });
  const answer = await saveItem(kind, id, { ...bodyNow(kind, editing), version });
  if (answer?.ok) {
    const item = answer.body as SavedItem;
    toast('success', updated);
    dispatch({ type: 'saved', item, sent, remarks: item.remarques ?? [] });
    editing.settle(item, documents);
    onChanged(summaryOf(item));
    return true;
  }
  const [fault] = answer?.body.errors ?? [];
  toast('error', toastOf(kind, fault?.message, saveFailed));
  dispatch({ type: 'refused', answer, failure: saveFailed });
  if (answer?.status === 404) onGone();
  return false;
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
