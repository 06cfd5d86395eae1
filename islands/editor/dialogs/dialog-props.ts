import type { DialogName, UploadedImage } from '../commands/editor-host.ts';
import type { EditorSession } from '../session/session.ts';

/** The properties of every dialog of the editor. */
export interface DialogProps {
  name: Exclude<DialogName, 'import' | 'find'>;
  session: EditorSession;
  uploadImage: (file: File) => Promise<UploadedImage>;
  onClose: () => void;
}
