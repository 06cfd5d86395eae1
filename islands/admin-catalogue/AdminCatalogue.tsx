import { useEffect, useReducer, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import DeleteDialog from '../admin-shared/DeleteDialog.tsx';
import { leaveIfSignedOut } from '../admin-shared/refusal.ts';
import { toast } from '../ui/toast.ts';
import { readDisciplines, readPrepas } from './catalogue-calls.ts';
import { reduceCatalogue } from './catalogue-state.ts';
import { EditDialog } from './EditDialog.tsx';
import { PrepaList } from './PrepaList.tsx';
import { PrepaMain } from './PrepaMain.tsx';
import type { AnyRecord, Discipline, Kind, Prepa } from './records.ts';
import { texts } from './texts.ts';

interface AdminCatalogueProps {
  /** The author of new prepas. */
  administratorId: string;
  prepas: Prepa[];
  /** Of the selected prepa. */
  disciplines: Discipline[];
  selected: number | null;
  /** The list could not be read. */
  failed: boolean;
  disciplinesFailed: boolean;
}

/** The open dialog, if any. A new number makes a new dialog. */
type Task = { number: number; kind: Kind; further: Record<string, string> } & (
  | { what: 'edit'; record: AnyRecord | null }
  | { what: 'delete'; record: AnyRecord }
);

/** The screen where administrators edit prepas and disciplines (specification §2). */
export default function AdminCatalogue({ administratorId, prepas, disciplines, selected, failed, disciplinesFailed }: AdminCatalogueProps) {
  const [state, dispatch] = useReducer(reduceCatalogue, {
    prepas,
    disciplines,
    selected,
    failed,
    reading: disciplinesFailed ? 'failed' : 'done',
  });
  const [task, setTask] = useState<Task | null>(null);
  const tasks = useRef(0);
  /** How often the disciplines were asked for: an answer that is on its way when they are asked for again is outdated. */
  const [asked, setAsked] = useState(0);
  const heading = useRef<HTMLHeadingElement>(null);
  const main = useRef<HTMLElement>(null);
  const title = useRef<HTMLHeadingElement>(null);
  const prepa = state.prepas.find(({ id }) => id === state.selected) ?? null;

  async function reloadPrepas(): Promise<void> {
    const reading = await readPrepas();
    if (reading.rows) return dispatch({ type: 'prepas read', prepas: reading.rows });
    if (leaveIfSignedOut(reading.answer)) return;
    dispatch({ type: 'prepas failed' });
    toast('error', 'Erreur lors de la récupération des prepas');
  }

  function reloadDisciplines(): void {
    dispatch({ type: 'disciplines wanted' });
    setAsked((times) => times + 1);
  }

  // Whichever way a prepa was selected: its disciplines follow, and the address remembers it.
  // biome-ignore lint/correctness/useExhaustiveDependencies: asking again reads again
  useEffect(() => {
    const prepaId = state.selected;
    let current = true;
    if (prepaId !== null && state.reading === 'waiting') {
      readDisciplines(prepaId).then((reading) => {
        if (!current) return;
        if (reading.rows) return dispatch({ type: 'disciplines read', prepaId, disciplines: reading.rows });
        if (leaveIfSignedOut(reading.answer)) return;
        dispatch({ type: 'disciplines failed', prepaId });
        toast('error', 'Erreur lors du chargement des disciplines');
      });
    }
    history.replaceState(history.state, '', state.selected === null ? location.pathname : `?prepa=${state.selected}`);
    return () => {
      current = false;
    };
  }, [state.selected, asked]);

  function open(kind: Kind, what: 'edit' | 'delete', record: AnyRecord | null): void {
    tasks.current += 1;
    // Decided now: while the dialog is open the list may be read again, and another prepa be selected.
    const further: Task['further'] = kind === 'prepa' ? { auteur: administratorId } : { prepa_concours_id: String(state.selected ?? '') };
    setTask({ number: tasks.current, kind, what, record, further } as Task);
  }

  function selectPrepa(id: number): void {
    dispatch({ type: 'selected', id });
    // On a phone what was chosen stands below the list.
    if (matchMedia('(max-width: 767px)').matches) main.current?.scrollIntoView({ block: 'start' });
  }

  function saved(kind: Kind, record: AnyRecord, creating: boolean): void {
    if (kind === 'discipline') {
      reloadDisciplines();
    } else if (creating) flushSync(() => dispatch({ type: 'prepa created', prepa: record as Prepa }));
    else {
      dispatch({ type: 'prepa changed', prepa: record as Prepa });
      reloadPrepas();
    }
    // With the first one, the invitation that opened the dialog goes.
    const invited = kind === 'discipline' ? state.disciplines.length === 0 : document.activeElement === document.body;
    if (creating && invited) title.current?.focus();
  }

  /** Deleted by this administrator, or found to be gone. */
  function gone(kind: Kind, id: number): void {
    if (kind === 'prepa') dispatch({ type: 'prepa deleted', id });
    else reloadDisciplines();
    // The button that opened the dialog has gone with what it belonged to.
    (kind === 'prepa' ? heading : title).current?.focus();
  }

  return (
    <div className="workbench">
      <section className="workbench__side" aria-labelledby="workbench-prepas">
        <button className="button button--block" type="button" onClick={() => open('prepa', 'edit', null)}>
          Nouvelle préparation
        </button>
        <h2 className="workbench__heading" id="workbench-prepas" ref={heading} tabIndex={-1}>
          Préparations existantes
        </h2>
        <PrepaList
          prepas={state.prepas}
          selected={state.selected}
          failed={state.failed}
          onRetry={reloadPrepas}
          onSelect={selectPrepa}
          onPublished={(id, is_published) => dispatch({ type: 'prepa changed', prepa: { id, is_published } })}
          onGone={(id) => gone('prepa', id)}
          onOpen={(what, record) => open('prepa', what, record)}
        />
      </section>
      <section className="workbench__main" ref={main} aria-labelledby="workbench-title">
        <PrepaMain
          title={title}
          prepa={prepa}
          failed={state.failed && state.prepas.length === 0}
          disciplines={state.disciplines}
          reading={state.reading}
          onRetry={() => {
            reloadDisciplines();
            // The button goes with the message that it belongs to.
            heading.current?.focus();
          }}
          onOpen={open}
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
          onClose={() => setTask(null)}
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
          onClose={() => setTask(null)}
        />
      )}
    </div>
  );
}
