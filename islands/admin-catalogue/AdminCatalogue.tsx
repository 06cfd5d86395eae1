import { useRef } from 'react';
import { flushSync } from 'react-dom';
import DeleteDialog from '../admin-shared/DeleteDialog.tsx';
import { useTask } from '../admin-shared/use-task.ts';
import type { CatalogueState } from './catalogue-state.ts';
import { EditDialog } from './EditDialog.tsx';
import { PrepaList } from './PrepaList.tsx';
import { PrepaMain } from './PrepaMain.tsx';
import type { AnyRecord, Kind, Prepa } from './records.ts';
import { texts } from './texts.ts';
import { useCatalogue } from './use-catalogue.ts';

interface AdminCatalogueProps extends Omit<CatalogueState, 'reading'> {
  /** Sent as the author of new prepas. */
  administratorId: string;
  disciplinesFailed: boolean;
  /** Address from which the list of prepas is loaded again after a change. */
  listed: string;
}

type Task = { kind: Kind } & (
  | { what: 'edit'; record: AnyRecord | null; further: Record<string, string> }
  | { what: 'delete'; record: AnyRecord }
);

/** The screen on which administrators edit prepas and disciplines (specification §2). */
export default function AdminCatalogue({ administratorId, disciplinesFailed, listed, ...read }: AdminCatalogueProps) {
  const { state, dispatch, reloadPrepas, reloadDisciplines } = useCatalogue(
    { ...read, reading: disciplinesFailed ? 'failed' : 'done' },
    listed,
  );
  const { task, open, close } = useTask<Task>();
  const heading = useRef<HTMLHeadingElement>(null);
  const main = useRef<HTMLElement>(null);
  const title = useRef<HTMLHeadingElement>(null);

  // Fixed when the dialog opens: the list may be reloaded or another prepa selected while it is open.
  const furtherOf = (kind: Kind): Record<string, string> =>
    kind === 'prepa' ? { auteur: administratorId } : { prepa_concours_id: String(state.selected ?? '') };
  const edit = (kind: Kind, record: AnyRecord | null) => open({ kind, what: 'edit', record, further: furtherOf(kind) });
  const askDelete = (kind: Kind, record: AnyRecord) => open({ kind, what: 'delete', record });

  function selectPrepa(id: number): void {
    dispatch({ type: 'selected', id });
    // On a phone, the selected prepa is below the list.
    if (matchMedia('(max-width: 767px)').matches) main.current?.scrollIntoView({ block: 'start' });
  }

  function saved(kind: Kind, record: AnyRecord, creating: boolean): void {
    if (kind === 'discipline') reloadDisciplines();
    else if (creating) flushSync(() => dispatch({ type: 'prepa created', prepa: record as Prepa }));
    else {
      dispatch({ type: 'prepa changed', prepa: record as Prepa });
      reloadPrepas();
    }
    // The button that creates the first record is removed once there is a record: move the focus to the title.
    const invited = kind === 'discipline' ? state.disciplines.length === 0 : document.activeElement === document.body;
    if (creating && invited) title.current?.focus();
  }

  /** Removes a record that was deleted here or no longer exists. */
  function gone(kind: Kind, id: number): void {
    if (kind === 'prepa') dispatch({ type: 'prepa deleted', id });
    else reloadDisciplines();
    // The button that opened the dialog has been removed with its record.
    (kind === 'prepa' ? heading : title).current?.focus();
  }

  return (
    <div className="workbench">
      <section className="workbench__side" aria-labelledby="workbench-prepas">
        <button className="button button--block" type="button" onClick={() => edit('prepa', null)}>
          Nouvelle préparation
        </button>
        <h2 className="workbench__heading" id="workbench-prepas" ref={heading} tabIndex={-1}>
          Préparations existantes
        </h2>
        <PrepaList
          state={state}
          onRetry={reloadPrepas}
          onSelect={selectPrepa}
          onPublished={(id, is_published) => dispatch({ type: 'prepa changed', prepa: { id, is_published } })}
          onGone={(id) => gone('prepa', id)}
          onEdit={(record) => edit('prepa', record)}
          onDelete={(record) => askDelete('prepa', record)}
        />
      </section>
      <section className="workbench__main" ref={main} aria-labelledby="workbench-title">
        <PrepaMain
          title={title}
          state={state}
          onRetry={() => {
            reloadDisciplines();
            // The retry button disappears with its message.
            heading.current?.focus();
          }}
          onEdit={edit}
          onDelete={(record) => askDelete('discipline', record)}
        />
      </section>
      {task?.what === 'edit' && (
        <EditDialog
          key={task.number}
          kind={task.kind}
          record={task.record}
          further={task.further}
          onSaved={(record) => saved(task.kind, record, task.record === null)}
          onGone={(id) => gone(task.kind, id)}
          onOutdated={(current) =>
            task.kind === 'prepa' ? dispatch({ type: 'prepa changed', prepa: current as Prepa }) : reloadDisciplines()
          }
          onClose={close}
        />
      )}
      {task?.what === 'delete' && (
        <DeleteDialog
          key={task.number}
          name={task.record.nom}
          question={texts[task.kind].deleteQuestion}
          address={`${texts[task.kind].path}/${task.record.id}`}
          failure={texts[task.kind].deleteFailed}
          closeHref="/admin/dashboard"
          onDeleted={() => gone(task.kind, task.record.id)}
          onClose={close}
        />
      )}
    </div>
  );
}
