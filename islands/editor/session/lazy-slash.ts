import { Plugin } from 'prosemirror-state';
import { fetchScript } from '../../runtime/fetch-script.ts';
import type { ToolbarGroup } from '../toolbar/toolbar.ts';

/**
 * Opens a list of blocks where the author types '/' at the start of a line or after a space. Its code is loaded then; without it, the '/'
 * is a letter as any other.
 */
export function lazySlash(groups: readonly ToolbarGroup[]): Plugin {
  return new Plugin({
    props: {
      handleTextInput(view, from, _to, text) {
        const { parent, parentOffset } = view.state.doc.resolve(from);
        if (text === '/' && parent.type.name === 'paragraph' && /^$|\s$/.test(parent.textBetween(0, parentOffset, null, '\ufffc')))
          fetchScript(() => import('../slash/slash-menu.ts')).then(
            ({ openSlashMenu }) => view.isDestroyed || openSlashMenu(view, from, groups),
            () => {},
          );
        return false;
      },
    },
  });
}
