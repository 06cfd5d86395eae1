import { dropCursor } from 'prosemirror-dropcursor';
import { gapCursor } from 'prosemirror-gapcursor';
import { history } from 'prosemirror-history';
import { Plugin } from 'prosemirror-state';
import { tableEditing } from 'prosemirror-tables';
import { Decoration, DecorationSet } from 'prosemirror-view';
import type { EditorHost } from '../commands/editor-host.ts';
import { lazyPaste } from '../paste/lazy-paste.ts';
import { questionOffer } from '../paste/question-offer.ts';
import type { ToolbarGroup } from '../toolbar/toolbar.ts';
import type { CodeMarker } from '../views/code-highlighting.ts';
import { clickSelection } from './click-selection.ts';
import { currentQuestion } from './current-question.ts';
import { depthGuard } from './depth-guard.ts';
import { writingRules } from './input-rules.ts';
import { editorKeys } from './keymap.ts';
import { selectionEnds } from './selection-ends.ts';

interface PluginOptions {
  host: EditorHost;
  groups: readonly ToolbarGroup[];
  marker: CodeMarker;
  /** The hint shown in an empty text. */
  placeholder: string;
  /** Whether questions are offered for pasted text. */
  withQuestions: boolean;
}

/** Returns the editor's plugins. The order matters: the first plugin that handles a key gets it; tables come after the others. */
export function editorPlugins({ host, groups, marker, placeholder, withQuestions }: PluginOptions): Plugin[] {
  return [
    lazyPaste(host),
    depthGuard(host),
    ...editorKeys(host, groups),
    writingRules(),
    // Specification §9: changes within 1,000 ms form one step; 100 steps are kept.
    history({ newGroupDelay: 1_000, depth: 100 }),
    dropCursor({ class: 'editor__drop', color: false }),
    gapCursor(),
    tableEditing(),
    clickSelection(host),
    marker.plugin,
    selectionEnds(),
    currentQuestion(),
    ...(withQuestions ? [questionOffer(host)] : []),
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
