import {
  baseKeymap,
  chainCommands,
  createParagraphNear,
  exitCode,
  liftEmptyBlock,
  newlineInCode,
  splitBlockAs,
} from 'prosemirror-commands';
import { redo } from 'prosemirror-history';
import { undoInputRule } from 'prosemirror-inputrules';
import { keymap } from 'prosemirror-keymap';
import { type Command, Plugin, TextSelection } from 'prosemirror-state';
import { richTextSchema } from '../../../src/shared/rich-text/schema.ts';
import { clearFormatting, leaveFigure, paragraphBelow, selectFigure } from '../commands/blocks.ts';
import { dialogCommand, dialogFor, type EditorHost } from '../commands/editor-host.ts';
import { selectedNode } from '../commands/insertions.ts';
import { indent, liftItem, listAround, outdent, sinkItem, splitItem } from '../commands/lists.ts';
import { overText } from '../commands/whole-text.ts';
import type { ToolbarGroup } from '../toolbar/toolbar.ts';
import { moveToCell } from './lazy-tables.ts';

type KeyHost = Pick<EditorHost, 'openDialog' | 'focusToolbar'>;

const { nodes } = richTextSchema;

const lineBreak: Command = (state, dispatch) => {
  if (state.selection.$from.parent.type === nodes.code_block) return false;
  dispatch?.(state.tr.replaceSelectionWith(nodes.hard_break.create()).scrollIntoView());
  return true;
};

const splitLine = splitBlockAs((node, atEnd) => (atEnd && node.type === nodes.paragraph ? { type: node.type, attrs: node.attrs } : null));

/**
 * Enter as in word processors: a paragraph keeps its alignment and indentation; after a heading comes a plain paragraph. A selection of a
 * whole list beside a rule leaves no line to split, so that a new one takes its place.
 */
const splitKeepingFormat: Command = (state, dispatch, view) => {
  if (state.selection.empty || !(state.selection instanceof TextSelection)) return splitLine(state, dispatch, view);
  const tr = state.tr.deleteSelection();
  if (tr.selection.$from.parent.inlineContent) return splitLine(state, dispatch, view);
  const at = tr.mapping.map(state.selection.from);
  tr.insert(at, nodes.paragraph.create());
  dispatch?.(tr.setSelection(TextSelection.near(tr.doc.resolve(at + 1))).scrollIntoView());
  return true;
};

const codeIndent: Command = (state, dispatch) => {
  if (!state.selection.$from.parent.type.spec.code) return false;
  dispatch?.(state.tr.insertText('  ').scrollIntoView());
  return true;
};

// In a table cell within a list item, `listAround` returns null and these keys do not change the list.
const sinkInList: Command = (state, dispatch) => listAround(state) !== null && sinkItem(state, dispatch);
const liftInList: Command = (state, dispatch) => listAround(state) !== null && liftItem(state, dispatch);

function edits(host: KeyHost): Command {
  return (state, dispatch) => {
    const node = selectedNode(state, 'formula', 'formula_block', 'image', 'figure', 'video');
    if (!node) return false;
    if (dispatch) host.openDialog(dialogFor(node.type.name));
    return true;
  };
}

/** Returns all keys of the editor, including those of the toolbar's items. */
export function editorKeys(host: KeyHost, groups: readonly ToolbarGroup[]): Plugin[] {
  const fromToolbar: Record<string, Command> = {};
  for (const { items } of groups) {
    for (const item of items) {
      for (const { keys, run } of item.kind === 'menu' ? item.items : [item]) if (keys) fromToolbar[keys] = overText(run);
    }
  }
  const own: Record<string, Command> = {
    'Mod-Shift-z': redo,
    // These keys work on keyboards where the signs need no AltGr.
    'Mod-\\': overText(clearFormatting),
    'Mod-[': overText(outdent),
    'Mod-]': overText(indent),
    'Mod-Shift-m': dialogCommand(host, 'formula-block'),
    'Mod-/': dialogCommand(host, 'keys'),
    Backspace: chainCommands(undoInputRule, selectFigure),
    Enter: chainCommands(edits(host), leaveFigure, splitItem),
    'Shift-Enter': lineBreak,
    'Mod-Enter': chainCommands(exitCode, paragraphBelow, lineBreak),
    // Elsewhere Tab leaves the text, as in any field.
    Tab: chainCommands(sinkInList, moveToCell(1), codeIndent),
    'Shift-Tab': chainCommands(liftInList, moveToCell(-1)),
    'Alt-F10': (_state, dispatch) => {
      if (dispatch) host.focusToolbar();
      return true;
    },
  };
  const enter = chainCommands(newlineInCode, createParagraphNear, liftEmptyBlock, splitKeepingFormat);
  return [tabRelease(), levelKeys(fromToolbar), keymap({ ...fromToolbar, ...own }), keymap({ ...baseKeymap, Enter: enter })];
}

/**
 * Handles Ctrl+Alt and a digit by key position: prosemirror-keymap compares characters, and on a French keyboard the digit keys have other
 * characters. Characters typed with AltGr are not affected.
 */
function levelKeys(commands: Record<string, Command>): Plugin {
  return new Plugin({
    props: {
      handleKeyDown: (view, event) => {
        const [, digit] = /^Digit([0-6])$/.exec(event.code) ?? [];
        // On a Mac, Mod is the Cmd key, for which prosemirror-keymap does the same.
        if (!digit || !event.ctrlKey || !event.altKey || event.shiftKey || event.getModifierState('AltGraph')) return false;
        return commands[`Mod-Alt-${digit}`]?.(view.state, view.dispatch, view) ?? false;
      },
    },
  });
}

/** After Escape, Tab always leaves the text, so that keyboard users are never trapped. */
function tabRelease(): Plugin {
  let released = false;
  return new Plugin({
    props: {
      handleDOMEvents: {
        keydown: (_view, { key }) => {
          if (key === 'Tab' && released) return true;
          if (key !== 'Shift') released = key === 'Escape';
          return false;
        },
        blur: () => {
          released = false;
        },
      },
    },
  });
}
