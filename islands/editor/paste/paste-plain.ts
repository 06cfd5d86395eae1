import type { Command } from 'prosemirror-state';
import type { EditorHost } from '../commands/editor-host.ts';
import { shownKeys } from '../toolbar/shortcuts.ts';

/** Pastes the clipboard's text without its formatting, or names the keys that do so where the browser does not let pages read it. */
export function pastePlain(host: Pick<EditorHost, 'notify'>): Command {
  return (_state, dispatch, view) => {
    if (!dispatch || !view) return true;
    // Without a secure connection, there is no clipboard.
    (navigator.clipboard?.readText?.() ?? Promise.reject()).then(
      (text) => (text ? view.isDestroyed || view.pasteText(text) : host.notify('info', 'Le presse-papiers ne contient pas de texte.')),
      () => host.notify('info', `Votre navigateur ne donne pas accès au presse-papiers : collez avec ${shownKeys('Mod-Shift-v')}.`),
    );
    return true;
  };
}
