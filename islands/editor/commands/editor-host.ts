import type { Command } from 'prosemirror-state';
import type { ReactNode } from 'react';

export type DialogName = 'link' | 'image' | 'video' | 'table' | 'formula' | 'formula-block' | 'list-start' | 'keys' | 'import' | 'find';

/** The result of an upload: the picture's address, or a French sentence with the reason for the failure. */
export type UploadedImage = { src: string; width: number | null; height: number | null } | { fault: string };

/** A text in Markdown as a document and remarks on parts that could not be kept, or a French sentence with the reason for the failure. */
export type ReadMarkdown = (text: string) => Promise<{ document: Record<string, unknown>; remarks: string[] } | { fault: string }>;

/** Functions of the surrounding component for commands, keys, node views and pasting. */
export interface EditorHost {
  /** Opens a dialog, which reads its initial values from the selection. */
  openDialog(dialog: DialogName): void;
  focusToolbar(): void;
  notify(kind: 'info' | 'warning' | 'error', message: string, action?: { text: string; run: () => void }): void;
  uploadImage(file: File): Promise<UploadedImage>;
  /** Without it, pasted Markdown is not offered to be formatted. */
  readMarkdown?: ReadMarkdown;
  /** Shows content below the toolbar until the next call; null removes it. */
  showOffer(offer: ReactNode): void;
}

export type FormattingHost = Pick<EditorHost, 'notify' | 'readMarkdown' | 'showOffer'>;

/** Returns a command that opens a dialog. The command is enabled while `when` is enabled. */
export function dialogCommand(host: Pick<EditorHost, 'openDialog'>, dialog: DialogName, when: Command = () => true): Command {
  return (state, dispatch) => {
    if (!when(state)) return false;
    if (dispatch) host.openDialog(dialog);
    return true;
  };
}

/** Returns the dialog that edits nodes of this type. */
export function dialogFor(name: string): DialogName {
  if (name === 'formula' || name === 'video') return name;
  return name === 'formula_block' ? 'formula-block' : 'image';
}
