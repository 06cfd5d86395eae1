import type { DialogName, UploadedImage } from '../commands/editor-host.ts';
import type { EditorSession } from '../session/session.ts';

/** What every dialog of the editor is given. */
export interface DialogProps {
  name: Exclude<DialogName, 'import'>;
  session: EditorSession;
  uploadImage: (file: File) => Promise<UploadedImage>;
  onClose: () => void;
}
