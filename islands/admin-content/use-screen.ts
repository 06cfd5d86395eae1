import { useEffect, useEffectEvent, useReducer, useRef, useState } from 'react';
import { type ItemKind, itemKinds } from '../../src/shared/item-kinds.ts';
import { toast } from '../ui/toast.ts';
import { useDrafts } from './drafts/use-drafts.ts';
import { moveItem, readOutline, type SavedItem } from './items/calls.ts';
import { type ItemSummary, summaryOf } from './items/records.ts';
import { texts } from './items/texts.ts';
import { beginScreen, reduceScreen } from './list/screen-state.ts';
import { readSelection, type Selection, writeSelection } from './selection.ts';

export interface ScreenOptions {
  /** Whose drafts are kept. */
  administratorId: string;
  disciplineId: number;
  lists: Record<ItemKind, ItemSummary[]>;
  /** The lists could not be read. */
  failed: boolean;
  /** What the address names. */
  selected: Selection;
}

export type Screen = ReturnType<typeof useScreen>;

/** What the screen shows and what is done with its lists; the address says which tab and item are open. */
export function useScreen({ administratorId, disciplineId, lists, failed, selected }: ScreenOptions) {
  const [state, dispatch] = useReducer(reduceScreen, null, () => beginScreen(lists, selected.kind, selected.item, failed ? itemKinds : []));
  /** Said to those who do not see it. */
  const [announcement, announce] = useState('');
  const drafted = useDrafts(
    administratorId,
    disciplineId,
    itemKinds.map((kind) => state.lists[kind].selected),
  );
  const moves = useRef(Promise.resolve());

  useEffect(() => {
    const { tab } = state;
    const search = writeSelection({ kind: tab, item: state.lists[tab].selected });
    // What it says already it need not say again, with a hash perhaps.
    if (writeSelection(readSelection(location.search)) !== search || location.search === '')
      history.replaceState(history.state, '', search);
  }, [state]);

  const openFirst = useEffectEvent(() => {
    // Where the list stands above the text, nobody has come to the text yet.
    if (matchMedia('(min-width: 992px)').matches) dispatch({ type: 'first wanted', kind: state.tab });
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each tab, when it is first shown
  useEffect(() => openFirst(), [state.visited]);

  async function reload(kind: ItemKind): Promise<void> {
    dispatch({ type: 'list wanted', kind });
    const answer = await readOutline(kind, disciplineId);
    if (answer?.ok && Array.isArray(answer.body)) return dispatch({ type: 'list read', kind, items: answer.body as ItemSummary[] });
    dispatch({ type: 'list failed', kind });
    toast('error', texts[kind].listFailed);
  }

  /** Seen at once; one after the other on the server, so that quick moves keep their order. Beyond the ends it stays there. */
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

  /** @param remarks what could not be kept of the file that it was made from */
  function add(kind: ItemKind, item: SavedItem, remarks: readonly string[] = []): void {
    dispatch({ type: 'created', kind, item: summaryOf(item), remarks: [...remarks, ...(item.remarques ?? [])] });
  }

  /** Deleted here, or found to be gone. */
  function remove(kind: ItemKind, id: number): void {
    dispatch({ type: 'deleted', kind, id });
    drafted.drop(kind, id);
    // The button that opened the dialog has gone with what it belonged to.
    document.getElementById(`authoring-list-${kind}`)?.focus();
  }

  return { state, dispatch, drafted, announcement, announce, reload, move, add, remove };
}
