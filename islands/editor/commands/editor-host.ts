import type { Command } from 'prosemirror-state';

export type DialogName = 'link' | 'image' | 'video' | 'table' | 'formula' | 'formula-block' | 'list-start' | 'import';

/** What became of a picture: where it is stored, or a French sentence that says why it is not. */
export type UploadedImage = { src: string; width: number | null; height: number | null } | { fault: string };

/** What commands, keys, node views and pastes need of the component around the text. */
export interface EditorHost {
  /** The dialog reads from the selection what it is about. */
  openDialog(dialog: DialogName): void;
  focusToolbar(): void;
  notify(kind: 'info' | 'warning' | 'error', message: string): void;
  uploadImage(file: File): Promise<UploadedImage>;
}

/** A command that opens a dialog, wherever `when` allows what the dialog will do. */
export function dialogCommand(host: Pick<EditorHost, 'openDialog'>, dialog: DialogName, when: Command = () => true): Command {
  return (state, dispatch) => {
    if (!when(state)) return false;
    if (dispatch) host.openDialog(dialog);
    return true;
  };
}

/** The dialog that edits a node of this name. */
export function dialogFor(name: string): DialogName {
  if (name === 'formula' || name === 'video') return name;
  return name === 'formula_block' ? 'formula-block' : 'image';
}
