import { useEffect, useEffectEvent, useReducer, useRef, useState } from 'react';
import { type ItemKind, itemKinds } from '../../src/shared/item-kinds.ts';
import { toast } from '../ui/toast.ts';
import { useDrafts } from './drafts/use-drafts.ts';
import { moveItem, readOutline, type SavedItem } from './items/calls.ts';
import { readDrafts } from './items/draft-calls.ts';
import { type DraftSummary, type ItemSummary, type KeptDraft, summaryOf } from './items/records.ts';
import { texts } from './items/texts.ts';
import { beginScreen, reduceScreen } from './list/screen-state.ts';
import { readSelection, type Selection, writeSelection } from './selection.ts';

export interface ScreenOptions {
  /** The author of the drafts. */
  administratorId: string;
  disciplineId: number;
  lists: Record<ItemKind, ItemSummary[]>;
  /** Unpublished texts on the server. */
  drafts: DraftSummary[];
  /** The lists could not be read. */
  failed: boolean;
  /** The selection in the address. */
  selected: Selection;
}

export type Screen = ReturnType<typeof useScreen>;

/** Manages the screen's lists. Keeps the open tab and item in the address. */
export function useScreen({ administratorId, disciplineId, lists, drafts, failed, selected }: ScreenOptions) {
  const [state, dispatch] = useReducer(reduceScreen, null, () =>
    beginScreen(lists, selected.kind, selected.item, failed ? itemKinds : [], drafts),
  );
  /** The last message for screen readers. */
  const [announcement, announce] = useState('');
  const drafted = useDrafts(
    administratorId,
    disciplineId,
    itemKinds.map((kind) => state.lists[kind].selected),
  );
  /** How often each open text was changed on the server by this screen: it is read again. */
  const [refreshed, setRefreshed] = useState<ReadonlyMap<number, number>>(new Map());
  const moves = useRef(Promise.resolve());

  useEffect(() => {
    const { tab } = state;
    const search = writeSelection({ kind: tab, item: state.lists[tab].selected });
    // If the address already names the selection, keep it with its hash.
    if (writeSelection(readSelection(location.search)) !== search || location.search === '')
      history.replaceState(history.state, '', search);
  }, [state]);

  const openFirst = useEffectEvent(() => {
    // On narrow screens the list is above the text, so nothing is opened.
    if (matchMedia('(min-width: 992px)').matches) dispatch({ type: 'first wanted', kind: state.tab });
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs once for each tab, when the tab is first shown
  useEffect(() => openFirst(), [state.visited]);

  async function reload(kind: ItemKind): Promise<void> {
    dispatch({ type: 'list wanted', kind });
    const answer = await readOutline(kind, disciplineId);
    if (answer?.ok && Array.isArray(answer.body)) return dispatch({ type: 'list read', kind, items: answer.body as ItemSummary[] });
    dispatch({ type: 'list failed', kind });
    toast('error', texts[kind].listFailed);
  }

  /** Moves an item at once on screen. Requests are sent one after the other to keep their order. `to` is limited to the list's ends. */
  function move(kind: ItemKind, item: ItemSummary, to: number): void {
    const { length } = state.lists[kind].items;
    const place = Math.min(Math.max(1, to), length);
    const stays = place === item.numero_page;
    announce(`« ${item.titre} » : ${stays ? 'déjà ' : ''}en position ${place} sur ${length}`);
    if (stays) return;
    dispatch({ type: 'moved', kind, id: item.id, to: place });
    moves.current = moves.current.then(async () => {
      const answer = await moveItem(kind, item.id, place);
      if (answer?.ok) return;
      toast('error', [texts[kind].moveFailed, answer?.body.message].filter(Boolean).join('. '));
      await reload(kind);
    });
  }

  /** @param remarks parts of the imported file that could not be kept */
  function add(kind: ItemKind, item: SavedItem, remarks: readonly string[] = []): void {
    dispatch({ type: 'created', kind, item: summaryOf(item), remarks: [...remarks, ...(item.remarques ?? [])] });
  }

  /** Reads the drafts again, after several were published. */
  async function reloadDrafts(): Promise<void> {
    const answer = await readDrafts(disciplineId);
    if (answer?.ok && Array.isArray(answer.body)) dispatch({ type: 'drafts read', drafts: answer.body as DraftSummary[] });
  }

  /** Shows a draft that was created here, and opens it. */
  function addDraft(draft: KeptDraft): void {
    const { contenu: _text, enonce: _statement, corrige: _correction, ...summary } = draft;
    dispatch({ type: 'draft kept', draft: summary });
    dispatch({ type: 'draft selected', kind: draft.type, id: draft.id });
  }

  /** Shows the item that the draft has become. */
  function published(kind: ItemKind, item: SavedItem): void {
    dispatch({ type: 'draft over', kind, id: item.id });
    add(kind, item);
  }

  /** Forgets the draft of a new item that was deleted. */
  function dropDraft(kind: ItemKind, id: number): void {
    dispatch({ type: 'draft over', kind, id });
    drafted.drop(kind, id);
    document.getElementById(`authoring-list-${kind}`)?.focus();
  }

  /** Removes an item that was deleted here or no longer exists. */
  function remove(kind: ItemKind, id: number): void {
    dispatch({ type: 'deleted', kind, id });
    drafted.drop(kind, id);
    // The button that opened the dialog has been removed with its item.
    document.getElementById(`authoring-list-${kind}`)?.focus();
  }

  /** Removes contents that are in another discipline now, or no longer exist, and reads the lists again. */
  function takeAway(kind: ItemKind, ids: readonly number[]): void {
    for (const id of ids) {
      dispatch({ type: 'deleted', kind, id });
      dispatch({ type: 'draft over', kind, id });
    }
    reload(kind);
    reloadDrafts();
  }

  /** Reads the lists, and these texts where they are open, again. */
  function refresh(ids: readonly number[]): void {
    setRefreshed((before) => new Map([...before, ...ids.map((id) => [id, (before.get(id) ?? 0) + 1] as const)]));
    for (const kind of itemKinds) reload(kind);
    reloadDrafts();
  }

  return {
    state,
    dispatch,
    drafted,
    announcement,
    announce,
    reload,
    reloadDrafts,
    move,
    add,
    addDraft,
    published,
    dropDraft,
    remove,
    takeAway,
    refreshed,
    refresh,
  };
}
