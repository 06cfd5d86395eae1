import { type EditorState, Plugin, PluginKey, type Transaction } from 'prosemirror-state';
import type { EditorView } from 'prosemirror-view';
import { overText } from '../commands/whole-text.ts';
import { iconPath } from '../toolbar/icons.tsx';
import { shownKeys } from '../toolbar/shortcuts.ts';
import { place } from '../toolbar/ToolMenu.tsx';
import type { ToolbarGroup } from '../toolbar/toolbar.ts';
import { matching, type SlashEntry, slashEntries } from './entries.ts';

interface Menu {
  /** Position of the '/'. */
  readonly from: number;
  /** Index of the current entry among the matching ones. */
  readonly index: number;
}

/** A change of the menu; null closes it. */
type Change = Partial<Menu> | null;

interface Shown {
  readonly menu: Menu;
  readonly entries: readonly SlashEntry[];
}

const key = new PluginKey<Shown | null>('slash');
const listId = 'editor-blocks';
const optionId = ({ id }: SlashEntry): string => `${listId}-${id}`;

/** Opens the list of blocks. @param from position of the typed '/' */
export function openSlashMenu(view: EditorView, from: number, groups: readonly ToolbarGroup[]): void {
  if (!key.get(view.state)) view.updateState(view.state.reconfigure({ plugins: [slashMenu(groups), ...view.state.plugins] }));
  change(view, { from, index: 0 });
}

const change = (view: EditorView, next: Change) => view.dispatch(view.state.tr.setMeta(key, next));

/** Returns the text typed after the '/'; null once the author writes on: after a space, or with the cursor elsewhere. */
function typedAfter({ doc, selection }: Pick<EditorState, 'doc' | 'selection'>, from: number): string | null {
  const { $from, empty } = selection;
  if (!empty || from < $from.start() || from >= $from.pos) return null;
  const typed = doc.textBetween(from, $from.pos, null, ' ');
  return /^\/\S*$/.test(typed) ? typed.slice(1) : null;
}

/** The list of blocks in the WAI-ARIA pattern of a listbox with `aria-activedescendant`. The focus stays in the text. */
function slashMenu(groups: readonly ToolbarGroup[]): Plugin<Shown | null> {
  const all = slashEntries(groups);

  function next(tr: Transaction, before: Shown | null, state: EditorState): Shown | null {
    const changed = tr.getMeta(key) as Change | undefined;
    if (changed === null || (!before && !changed)) return null;
    const menu = { from: 0, index: 0, ...before?.menu, ...changed };
    // A change of the text begins again with the first entry.
    if (tr.docChanged) Object.assign(menu, { from: tr.mapping.map(menu.from, -1), index: 0 });
    const typed = typedAfter(state, menu.from);
    if (typed === null) return null;
    return { menu, entries: before && !tr.docChanged ? before.entries : matching(all, typed, state) };
  }

  function choose(view: EditorView, entry: SlashEntry): void {
    const shown = key.getState(view.state);
    if (!shown) return;
    view.dispatch(view.state.tr.delete(shown.menu.from, view.state.selection.from));
    overText(entry.run)(view.state, view.dispatch, view);
    // A dialog takes the focus itself.
    view.focus();
  }

  const plugin: Plugin<Shown | null> = new Plugin<Shown | null>({
    key,
    state: { init: () => null, apply: (tr, before, _old, state) => next(tr, before, state) },
    props: {
      attributes: (state) => {
        const shown = key.getState(state);
        const current = shown?.entries[shown.menu.index];
        const attributes: Record<string, string> = {};
        if (current)
          Object.assign(attributes, { 'aria-haspopup': 'listbox', 'aria-controls': listId, 'aria-activedescendant': optionId(current) });
        return attributes;
      },
      handleKeyDown(view, { key: pressed, isComposing, shiftKey, ctrlKey, altKey, metaKey }) {
        const shown = key.getState(view.state);
        if (!shown || isComposing || shiftKey || ctrlKey || altKey || metaKey) return false;
        if (pressed === 'Escape') {
          change(view, null);
          return true;
        }
        const { menu, entries } = shown;
        const { length } = entries;
        const current = entries[menu.index];
        if (!current) return false;
        if (pressed === 'Enter' || pressed === 'Tab') {
          choose(view, current);
          return true;
        }
        const step = { ArrowDown: 1, ArrowUp: length - 1 }[pressed];
        if (step === undefined) return false;
        change(view, { index: (menu.index + step) % length });
        return true;
      },
      handleDOMEvents: {
        blur: (view) => {
          if (key.getState(view.state)) change(view, null);
          return false;
        },
      },
    },
    view: (view) => {
      const list = document.createElement('div');
      list.id = listId;
      list.className = 'editor__menu editor__blocks';
      list.role = 'listbox';
      list.ariaLabel = 'Blocs à insérer';
      // A part that scrolls must be focusable; Tab chooses an entry before it gets there.
      list.tabIndex = 0;
      // The text keeps the focus and, on a phone, the keyboard stays open.
      list.addEventListener('mousedown', (event) => event.preventDefault());
      const status = document.createElement('p');
      status.role = 'status';
      status.className = 'visually-hidden';
      view.dom.parentElement?.append(status);

      function draw(shown: Shown): void {
        list.replaceChildren(...shown.entries.map((entry) => optionOf(entry, () => choose(view, entry))));
        const count = shown.entries.length;
        status.textContent = `${count} bloc${count > 1 ? 's' : ''} : flèches pour choisir, Entrée pour insérer`;
        view.dom.parentElement?.append(list);
        list.style.maxBlockSize = '';
        list.scrollTop = 0;
        const { left, top, bottom } = view.coordsAtPos(shown.menu.from);
        place(list, { getBoundingClientRect: () => new DOMRect(left, top, 0, bottom - top) });
      }

      return {
        update(view, before) {
          const shown = key.getState(view.state);
          const was = key.getState(before);
          if (shown === was) return;
          const current = shown?.entries[shown.menu.index];
          if (!shown || !current) {
            list.remove();
            status.textContent = '';
            return;
          }
          if (shown.entries !== was?.entries || !list.isConnected) draw(shown);
          for (const option of list.children) option.ariaSelected = String(option.id === optionId(current));
          list.querySelector('[aria-selected="true"]')?.scrollIntoView({ block: 'nearest' });
        },
        destroy: () => {
          list.remove();
          status.remove();
        },
      };
    },
  });
  return plugin;
}

function optionOf(entry: SlashEntry, onChoose: () => void): HTMLElement {
  const option = document.createElement('div');
  option.id = optionId(entry);
  option.role = 'option';
  option.className = 'editor__block';
  const svg = document.createElementNS('http://www.w3.org/2000/svg', 'svg');
  svg.setAttribute('class', 'icon');
  svg.setAttribute('viewBox', '0 0 24 24');
  svg.setAttribute('aria-hidden', 'true');
  const path = document.createElementNS('http://www.w3.org/2000/svg', 'path');
  path.setAttribute('d', iconPath(entry.icon));
  svg.append(path);
  option.append(svg, entry.label);
  if (entry.keys) {
    const keys = document.createElement('span');
    keys.className = 'editor__keys';
    keys.ariaHidden = 'true';
    keys.append(shownKeys(entry.keys));
    option.append(keys);
  }
  option.addEventListener('click', onChoose);
  return option;
}
