import type { Command } from 'prosemirror-state';

export type DialogName = 'link' | 'image' | 'video' | 'table' | 'formula' | 'formula-block' | 'list-start' | 'import';

/** What commands, keys and node views need of the component around the text. */
export interface Doors {
  /** Opens a dialog; it reads from the selection what it is about. */
  open(dialog: DialogName): void;
  /** Puts the focus on the toolbar. */
  toToolbar(): void;
  notify(kind: 'info' | 'warning' | 'error', message: string): void;
}

/** A command that opens a dialog, wherever `when` allows what the dialog will do. */
export function opens(doors: Doors, dialog: DialogName, when: Command = () => true): Command {
  return (state, dispatch) => {
    if (!when(state)) return false;
    if (dispatch) doors.open(dialog);
    return true;
  };
}

/** The dialog that edits a node of this name. */
export function dialogFor(name: string): DialogName {
  if (name === 'formula' || name === 'video') return name;
  return name === 'formula_block' ? 'formula-block' : 'image';
}
