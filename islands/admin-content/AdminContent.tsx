import { type ItemKind, itemKinds, kindDetails, labelOf } from '../../src/shared/item-kinds.ts';
import { Lazy } from '../admin-shared/Lazy.tsx';
import { useTask } from '../admin-shared/use-task.ts';
import { Tabs, tabPanel } from '../ui/tabs/Tabs.tsx';
import { ItemPane } from './editing/ItemPane.tsx';
import { itemAddress, type SavedItem } from './items/calls.ts';
import { draftAddress } from './items/draft-calls.ts';
import type { DraftSummary, ItemSummary } from './items/records.ts';
import { texts } from './items/texts.ts';
import { newDraftsOf } from './list/drafts-of.ts';
import { SidePanel } from './list/SidePanel.tsx';
import { type ScreenOptions, useScreen } from './use-screen.ts';

interface AdminContentProps extends ScreenOptions {
  /** The current year in Africa/Douala. */
  currentYear: number;
}

type Task = { kind: ItemKind } & (
  | { what: 'create' | 'move' | 'replace' }
  /** Publishes the drafts `among`; without it, all of the list. */
  | { what: 'publish'; among?: readonly number[] }
  | { what: 'delete'; item: ItemSummary }
  | { what: 'delete draft'; draft: DraftSummary }
  | { what: 'import'; files: readonly File[] }
);

const loadDelete = () => import('../admin-shared/DeleteDialog.tsx');
const loadImportMany = () => import('./import/ImportManyDialog.tsx');
const loadPublishAll = () => import('./publish/PublishAllDialog.tsx');
const loadMove = () => import('./move/MoveDialog.tsx');
const loadReplace = () => import('./replace/ReplaceDialog.tsx');
const loadCreate = () => import('./create/CreateDialog.tsx');

/** The screen on which administrators write a discipline's items (specification §2, 'Admin discipline screen'). */
export default function AdminContent({ currentYear, ...options }: AdminContentProps) {
  const { administratorId, disciplineId } = options;
  const screen = useScreen(options);
  const { state, dispatch } = screen;
  const { task, open, close } = useTask<Task>();
  return (
    <div className="authoring">
      <Tabs
        id="authoring"
        label="Contenus de la discipline"
        tabs={itemKinds.map((name) => ({ name, label: kindDetails[name].list }))}
        selected={state.tab}
        onSelect={(kind) => dispatch({ type: 'tab chosen', kind })}
      />
      <p className="visually-hidden" role="status">
        {screen.announcement}
      </p>
      {itemKinds.map((kind) => (
        <div key={kind} className="workbench authoring__panel" {...tabPanel('authoring', kind)} hidden={kind !== state.tab}>
          <SidePanel
            kind={kind}
            screen={screen}
            onCreate={() => open({ kind, what: 'create' })}
            onDelete={(item) => open({ kind, what: 'delete', item })}
            onDeleteDraft={(draft) => open({ kind, what: 'delete draft', draft })}
            onPublishAll={() => open({ kind, what: 'publish' })}
            onMove={() => open({ kind, what: 'move' })}
            onReplace={() => open({ kind, what: 'replace' })}
            onImport={(files) => open({ kind, what: 'import', files })}
          />
          {state.visited.includes(kind) && (
            <ItemPane place={{ administratorId, disciplineId, kind }} screen={screen} currentYear={currentYear} />
          )}
        </div>
      ))}
      {task?.what === 'create' && (
        <Lazy
          key={task.number}
          load={loadCreate}
          onFailed={close}
          props={{
            place: { administratorId, disciplineId, kind: task.kind, item: 'new' as const },
            currentYear,
            drafts: state.drafts,
            onClose: close,
            onCreated: (item: SavedItem, remarks: string[]) => screen.add(task.kind, item, remarks),
            onDrafted: screen.addDraft,
          }}
        />
      )}
      {task?.what === 'import' && (
        <Lazy
          key={task.number}
          load={loadImportMany}
          onFailed={close}
          props={{
            kind: task.kind,
            disciplineId,
            dropped: task.files,
            drafts: state.drafts,
            onDrafted: screen.reloadDrafts,
            onPublish: async (among: readonly number[]) => {
              await screen.reloadDrafts();
              open({ kind: task.kind, what: 'publish', among });
            },
            onClose: close,
          }}
        />
      )}
      {task?.what === 'publish' && (
        <Lazy
          key={task.number}
          load={loadPublishAll}
          onFailed={close}
          props={{
            drafts: newDraftsOf(screen, task.kind).filter(({ id }) => task.among?.includes(id) ?? true),
            onPublished: () => {
              screen.reload(task.kind);
              screen.reloadDrafts();
            },
            onClose: close,
          }}
        />
      )}
      {task?.what === 'move' && (
        <Lazy key={task.number} load={loadMove} onFailed={close} props={{ kind: task.kind, disciplineId, screen, onClose: close }} />
      )}
      {task?.what === 'replace' && (
        <Lazy key={task.number} load={loadReplace} onFailed={close} props={{ disciplineId, screen, onClose: close }} />
      )}
      {task?.what === 'delete draft' && (
        <Lazy
          key={task.number}
          load={loadDelete}
          onFailed={close}
          props={{
            name: `${kindDetails[task.kind].name} : ${task.draft.titre || 'Sans titre'}`,
            question: 'Êtes-vous sûr de vouloir supprimer ce brouillon ?',
            address: draftAddress(task.draft.id),
            failure: "Le brouillon n'a pas pu être supprimé",
            closeHref: `/admin/discipline/${disciplineId}`,
            onDeleted: () => screen.dropDraft(task.kind, task.draft.id),
            onClose: close,
          }}
        />
      )}
      {task?.what === 'delete' && (
        <Lazy
          key={task.number}
          load={loadDelete}
          onFailed={close}
          props={{
            name: `${labelOf(task.kind, task.item)} : ${task.item.titre}`,
            question: texts[task.kind].deleteQuestion,
            address: itemAddress(task.kind, task.item.id),
            failure: texts[task.kind].deleteFailed,
            closeHref: `/admin/discipline/${disciplineId}`,
            onDeleted: () => screen.remove(task.kind, task.item.id),
            onClose: close,
          }}
        />
      )}
    </div>
  );
}
