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
 * Saves what is open; what was not saved stays as it is, with the reason in the state. Answers whether it was saved.
 * @param version that it was written upon
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
  const sent = { titre: state.titre, annee: state.annee, duree: state.duree };
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

/** Makes a new item of what is open, since the old one is gone; null when that failed. */
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
