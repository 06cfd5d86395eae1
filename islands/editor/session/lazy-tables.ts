import type { Node } from 'prosemirror-model';
import { type Command, Plugin, PluginKey } from 'prosemirror-state';
import type { EditorView } from 'prosemirror-view';
import { fetchScript } from '../../runtime/fetch-script.ts';
import type { EditorHost } from '../commands/editor-host.ts';
import { inTable } from '../commands/insert-table.ts';
import type { ToolbarGroup } from '../toolbar/toolbar.ts';

const fetchTables = () => fetchScript(() => import('../tables/editing.ts'));
type Tables = Awaited<ReturnType<typeof fetchTables>>;

const key = new PluginKey('tables');

/** Moves to the next (1) or previous (-1) cell. Loads the code for tables if needed, and moves then. */
export const moveToCell =
  (by: 1 | -1): Command =>
  (state, dispatch, view) =>
    key.get(state)?.spec.move(by)(state, dispatch, view) ?? false;

/**
 * Loads the code that edits tables when the cursor or the mouse first enters one, or when one is pasted: most texts are written
 * without.
 */
export function lazyTables(host: Pick<EditorHost, 'notify'>, onTools: (groups: readonly ToolbarGroup[]) => void): Plugin {
  let loading: Promise<Tables | null> | null = null;
  let tables: Tables | null = null;
  let isPasted = false;

  function load(view: EditorView): Promise<Tables | null> {
    loading ??= fetchTables().then(
      (module) => {
        if (view.isDestroyed) return null;
        tables = module;
        const { groups, plugins } = module.tableTools();
        view.updateState(
          view.state.reconfigure({ plugins: view.state.plugins.flatMap((one) => (one === own ? [one, ...plugins] : [one])) }),
        );
        const mended = module.mendTables(view.state);
        if (mended) view.dispatch(mended);
        onTools(groups);
        return module;
      },
      () => {
        loading = null;
        host.notify('warning', "Les outils des tableaux n'ont pas pu être chargés. Vérifiez votre connexion, puis réessayez.");
        return null;
      },
    );
    return loading;
  }

  const move =
    (by: 1 | -1): Command =>
    (state, dispatch, view) => {
      const run = (module: Tables): Command => (by === 1 ? module.nextCell : module.previousCell);
      if (tables) return run(tables)(state, dispatch);
      if (!view || !inTable(state)) return false;
      if (dispatch) void load(view).then((module) => module && run(module)(view.state, view.dispatch));
      return true;
    };

  const own = new Plugin({
    key,
    move,
    appendTransaction: (transactions) => {
      isPasted ||= transactions.some((tr) => tr.getMeta('paste') === true || tr.getMeta('uiEvent') === 'drop');
      return null;
    },
    props: {
      handleDOMEvents: {
        pointerover: (view, { target }) => {
          if (!loading && target instanceof Element && target.closest('table')) void load(view);
          return false;
        },
      },
    },
    view: (view) => {
      if (inTable(view.state)) void load(view);
      return {
        update(view, before) {
          const { state } = view;
          if (!loading && (inTable(state) ? !inTable(before) || state.doc !== before.doc : isPasted && holdsTable(state.doc)))
            void load(view);
          isPasted = false;
        },
      };
    },
  });
  return own;
}

function holdsTable(doc: Node): boolean {
  let found = false;
  doc.descendants(({ type, isTextblock }) => {
    if (type.name === 'table') found = true;
    return !found && !isTextblock;
  });
  return found;
}
