import { useEffect, useReducer, useRef, useState } from 'react';
import { type ItemKind, itemKinds, kindDetails, labelOf } from '../../src/shared/item-kinds.ts';
import { Lazy } from '../admin-shared/Lazy.tsx';
import { Tabs, tabPanel } from '../ui/tabs/Tabs.tsx';
import { toast } from '../ui/toast.ts';
import { useDrafts } from './drafts/use-drafts.ts';
import { ItemPane } from './editing/ItemPane.tsx';
import { itemAddress, moveItem, readOutline, type SavedItem } from './items/calls.ts';
import { type ItemSummary, summaryOf } from './items/records.ts';
import { texts } from './items/texts.ts';
import { SidePanel } from './list/SidePanel.tsx';
import { beginScreen, reduceScreen } from './list/screen-state.ts';
import { readSelection, type Selection, writeSelection } from './selection.ts';

interface AdminContentProps {
  /** Whose drafts are kept. */
  administratorId: string;
  disciplineId: number;
  lists: Record<ItemKind, ItemSummary[]>;
  /** The lists could not be read. */
  failed: boolean;
  /** In Africa/Douala. */
  currentYear: number;
  /** What the address names. */
  selected: Selection;
}

/** The open dialog, if any. A new number makes a new dialog. */
type Task = { number: number; kind: ItemKind } & ({ what: 'create' } | { what: 'delete'; item: ItemSummary });

const loadDelete = () => import('../admin-shared/DeleteDialog.tsx');
const loadCreate = () => import('./create/CreateDialog.tsx');

/** The screen where administrators write what a discipline holds (specification §2, 'Admin discipline screen'). */
export default function AdminContent({ administratorId, disciplineId, lists, failed, currentYear, selected }: AdminContentProps) {
  const [state, dispatch] = useReducer(reduceScreen, null, () => beginScreen(lists, selected.kind, selected.item, failed ? itemKinds : []));
  const [task, setTask] = useState<Task | null>(null);
  const tasks = useRef(0);
  const [announcement, setAnnouncement] = useState('');
  /** What could not be kept of a text that was just created; shown once with it. */
  const [created, setCreated] = useState<{ id: number; remarks: string[] } | null>(null);
  /** Tabs that were shown once: what is open in them stays as it is. */
  const [visited, setVisited] = useState<readonly ItemKind[]>([selected.kind]);
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

  function open(task: { kind: ItemKind } & ({ what: 'create' } | { what: 'delete'; item: ItemSummary })): void {
    tasks.current += 1;
    setTask({ ...task, number: tasks.current });
  }

  function chooseTab(kind: ItemKind): void {
    setVisited((before) => (before.includes(kind) ? before : [...before, kind]));
    dispatch({ type: 'tab chosen', kind });
  }

  async function reload(kind: ItemKind): Promise<void> {
    dispatch({ type: 'list wanted', kind });
    const answer = await readOutline(kind, disciplineId);
    if (answer?.ok && Array.isArray(answer.body)) return dispatch({ type: 'list read', kind, items: answer.body as ItemSummary[] });
    dispatch({ type: 'list failed', kind });
    toast('error', texts[kind].listFailed);
  }

  /** Seen at once; one after the other on the server, so that quick moves keep their order. */
  function move(kind: ItemKind, item: ItemSummary, to: number): void {
    const { length } = state.lists[kind].items;
    const place = Math.min(Math.max(1, to), length);
    const stays = place === item.numero_page;
    setAnnouncement(`« ${item.titre} » : ${stays ? 'déjà ' : ''}en position ${place} sur ${length}`);
    if (stays) return;
    dispatch({ type: 'moved', kind, id: item.id, to: place });
    moves.current = moves.current.then(async () => {
      const answer = await moveItem(kind, item.id, place);
      if (answer?.ok) return;
      toast('error', [texts[kind].moveFailed, answer?.body.message].filter(Boolean).join('. '));
      await reload(kind);
    });
  }

  function add(kind: ItemKind, item: SavedItem): void {
    setCreated({ id: item.id, remarks: item.remarques ?? [] });
    dispatch({ type: 'created', kind, item: summaryOf(item) });
  }

  /** Deleted here, or found to be gone. */
  function remove(kind: ItemKind, id: number): void {
    dispatch({ type: 'deleted', kind, id });
    drafted.drop(kind, id);
    // The button that opened the dialog has gone with what it belonged to.
    document.getElementById(`authoring-list-${kind}`)?.focus();
  }

  return (
    <div className="authoring">
      <Tabs
        id="authoring"
        label="Contenus de la discipline"
        tabs={itemKinds.map((name) => ({ name, label: kindDetails[name].list }))}
        selected={state.tab}
        onSelect={chooseTab}
      />
      <p className="visually-hidden" role="status">
        {announcement}
      </p>
      {itemKinds.map((kind) => {
        const list = state.lists[kind];
        return (
          <div key={kind} className="workbench authoring__panel" {...tabPanel('authoring', kind)} hidden={kind !== state.tab}>
            <SidePanel
              kind={kind}
              list={list}
              modified={(id) => drafted.has(kind, id)}
              orphans={list.reading === 'done' ? drafted.orphans(kind, list.items) : []}
              onCreate={() => open({ kind, what: 'create' })}
              onSelect={(id) => {
                setCreated(null);
                dispatch({ type: 'selected', kind, id });
              }}
              onPage={(page) => dispatch({ type: 'page chosen', kind, page })}
              onMove={(moved, to) => move(kind, moved, to)}
              onDelete={(deleted) => open({ kind, what: 'delete', item: deleted })}
              onRetry={() => reload(kind)}
              onRevived={(revived) => add(kind, revived)}
              onOrphanOver={drafted.forget}
            />
            {visited.includes(kind) && (
              <ItemPane
                kind={kind}
                selected={list.selected}
                summary={list.items.find(({ id }) => id === list.selected) ?? null}
                place={{ administratorId, disciplineId, kind }}
                active={kind === state.tab}
                pages={list.items.length}
                currentYear={currentYear}
                created={created && created.id === list.selected ? created.remarks : null}
                onOpened={setAnnouncement}
                onChanged={(changed) => dispatch({ type: 'changed', kind, item: changed })}
                onUnsaved={(id, unsaved) => drafted.report(kind, id, unsaved)}
                onGone={() => reload(kind)}
                onRevived={(revived, lost) => {
                  remove(kind, lost);
                  add(kind, revived);
                }}
              />
            )}
          </div>
        );
      })}
      {task?.what === 'create' && (
        <Lazy
          key={task.number}
          load={loadCreate}
          onFailed={() => setTask(null)}
          props={{
            kind: task.kind,
            currentYear,
            onClose: () => setTask(null),
            place: { administratorId, disciplineId, kind: task.kind, item: 'new' as const },
            onCreated: (item: SavedItem, remarks: string[]) =>
              add(task.kind, { ...item, remarques: [...remarks, ...(item.remarques ?? [])] }),
          }}
        />
      )}
      {task?.what === 'delete' && (
        <Lazy
          key={task.number}
          load={loadDelete}
          onFailed={() => setTask(null)}
          props={{
            name: `${labelOf(task.kind, task.item)} : ${task.item.titre}`,
            question: texts[task.kind].deleteQuestion,
            address: itemAddress(task.kind, task.item.id),
            failure: texts[task.kind].deleteFailed,
            closeHref: `/admin/discipline/${disciplineId}`,
            onDeleted: () => remove(task.kind, task.item.id),
            onClose: () => setTask(null),
          }}
        />
      )}
    </div>
  );
}
