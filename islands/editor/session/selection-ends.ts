import { Plugin } from 'prosemirror-state';
import { Decoration, DecorationSet } from 'prosemirror-view';

/**
 * Marks the outermost blocks in which the selection begins and ends, so that editor-area.css never leaves them out of the layout: a new block with
 * `content-visibility: auto` is laid out with the next frame only, and until then Chromium puts what is typed before it, or before what
 * was typed first.
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
