import { Plugin } from 'prosemirror-state';

/**
 * Takes over the browser's selection now. Browsers report a moved cursor only with the next frame, so a key or a tool used sooner, as on a
 * busy phone, would apply where the cursor was before.
 */
export function readSelection(): void {
  // prosemirror-view listens to this event, and offers no call.
  document.dispatchEvent(new Event('selectionchange'));
}

/** Reads the selection before each key. */
export const currentSelection = (): Plugin =>
  new Plugin({
    props: {
      handleDOMEvents: {
        keydown: (_view, { isComposing }) => {
          if (!isComposing) readSelection();
          return false;
        },
      },
    },
  });
