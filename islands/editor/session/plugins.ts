import { gapCursor } from 'prosemirror-gapcursor';
import { history } from 'prosemirror-history';
import { Plugin } from 'prosemirror-state';
import { Decoration, DecorationSet } from 'prosemirror-view';
import type { EditorHost } from '../commands/editor-host.ts';
import { lazyPaste } from '../paste/lazy-paste.ts';
import type { ToolbarGroup } from '../toolbar/toolbar.ts';
import { clickSelection } from './click-selection.ts';
import { currentSelection } from './current-selection.ts';
import { depthGuard } from './depth-guard.ts';
import { writingRules } from './input-rules.ts';
import { editorKeys } from './keymap.ts';
import { lazyDropCursor } from './lazy-drop-cursor.ts';
import { lazyQuestions, type QuestionOptions } from './lazy-questions.ts';
import { lazySlash } from './lazy-slash.ts';
import { lazyTables } from './lazy-tables.ts';
import { selectionEnds } from './selection-ends.ts';

interface PluginOptions {
  host: EditorHost;
  groups: readonly ToolbarGroup[];
  /** The hint shown in an empty text. */
  placeholder: string;
  questions: QuestionOptions;
  /** Takes the toolbar's row for tables. */
  onTableTools: (groups: readonly ToolbarGroup[]) => void;
}

/** Returns the editor's plugins. The order matters: the first plugin that handles a key gets it; tables come after the others. */
export function editorPlugins({ host, groups, placeholder, questions, onTableTools }: PluginOptions): Plugin[] {
  return [
    currentSelection(),
    lazyPaste(host),
    depthGuard(host),
    ...editorKeys(host, groups),
    writingRules(),
    lazySlash(groups),
    // Specification §9: changes within 1,000 ms form one step; 100 steps are kept.
    history({ newGroupDelay: 1_000, depth: 100 }),
    lazyDropCursor(),
    gapCursor(),
    lazyTables(host, onTableTools),
    clickSelection(host),
    selectionEnds(),
    lazyQuestions(host, questions),
    hint(placeholder),
  ];
}

function hint(text: string): Plugin {
  return new Plugin({
    props: {
      decorations: ({ doc }) => {
        // An empty paragraph has size 2.
        if (doc.content.size > 2 || doc.firstChild?.type.name !== 'paragraph') return null;
        return DecorationSet.create(doc, [Decoration.node(0, 2, { class: 'editor__empty', 'data-hint': text })]);
      },
    },
  });
}
