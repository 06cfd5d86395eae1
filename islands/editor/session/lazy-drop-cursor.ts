import { Plugin } from 'prosemirror-state';
import { fetchScript } from '../../runtime/fetch-script.ts';

/** Shows where a dragged thing would be dropped. Its code is loaded when something is first dragged over the text. */
export function lazyDropCursor(): Plugin {
  let loading = false;
  return new Plugin({
    props: {
      handleDOMEvents: {
        dragenter: (view) => {
          if (loading) return false;
          loading = true;
          fetchScript(() => import('prosemirror-dropcursor')).then(
            ({ dropCursor }) => {
              if (view.isDestroyed) return;
              const cursor = dropCursor({ class: 'editor__drop', color: false });
              view.updateState(view.state.reconfigure({ plugins: [...view.state.plugins, cursor] }));
            },
            () => {
              loading = false;
            },
          );
          return false;
        },
      },
    },
  });
}
