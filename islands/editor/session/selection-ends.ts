import { Plugin } from 'prosemirror-state';
import { Decoration, DecorationSet } from 'prosemirror-view';

/**
 * Marks the outermost blocks at both ends of the selection, for which editor-area.css disables `content-visibility: auto`. A new block
 * with `content-visibility: auto` gets its layout only in the next frame. Until then, Chromium inserts typed text before the block, or
 * before the text typed first.
 */
export const selectionEnds = (): Plugin =>
  new Plugin({
    props: {
      decorations: ({ doc, selection: { $anchor, $head } }) => {
        const marked = [$anchor, $head]
          .filter(({ depth }) => depth > 0)
          .map(($end) => Decoration.node($end.before(1), $end.after(1), { class: 'editor__near' }));
        return DecorationSet.create(doc, marked);
      },
    },
  });
