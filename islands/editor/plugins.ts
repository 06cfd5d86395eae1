import { dropCursor } from 'prosemirror-dropcursor';
import { gapCursor } from 'prosemirror-gapcursor';
import { history } from 'prosemirror-history';
import { Plugin } from 'prosemirror-state';
import { tableEditing } from 'prosemirror-tables';
import { Decoration, DecorationSet } from 'prosemirror-view';
import { depthGuard } from './depth-guard.ts';
import type { Doors } from './doors.ts';
import type { CodeMarker } from './highlighting.ts';
import { writingRules } from './input-rules.ts';
import { editorKeys } from './keymap.ts';
import { latePaste } from './late-paste.ts';
import { nearCursor } from './near-cursor.ts';
import type { ToolbarGroup } from './toolbar.ts';
import type { UploadedImage } from './uploaded-image.ts';
import { wholeNodes } from './whole-nodes.ts';

interface PluginOptions {
  doors: Doors;
  uploadImage: (file: File) => Promise<UploadedImage>;
  groups: readonly ToolbarGroup[];
  marker: CodeMarker;
  /** What an empty text invites to. */
  placeholder: string;
}

/** What the editor does by itself. The order matters: keys go to the first that takes them, tables see what is left. */
export function editorPlugins({ doors, uploadImage, groups, marker, placeholder }: PluginOptions): Plugin[] {
  return [
    latePaste({ uploadImage, notify: doors.notify }),
    depthGuard(doors),
    ...editorKeys(doors, groups),
    writingRules(),
    // Specification §9: changes within 1,000 ms are one step; 100 steps are kept.
    history({ newGroupDelay: 1_000, depth: 100 }),
    dropCursor({ class: 'editor__drop', color: false }),
    gapCursor(),
    tableEditing(),
    wholeNodes(doors),
    marker.plugin,
    nearCursor(),
    hint(placeholder),
  ];
}

function hint(text: string): Plugin {
  return new Plugin({
    props: {
      decorations: ({ doc }) => {
        const { firstChild } = doc;
        if (doc.childCount !== 1 || firstChild?.type.name !== 'paragraph' || firstChild.content.size > 0) return null;
        return DecorationSet.create(doc, [Decoration.node(0, firstChild.nodeSize, { class: 'editor__empty', 'data-hint': text })]);
      },
    },
  });
}
