import type { DialogName } from '../doors.ts';
import type { EditorSession } from '../session.ts';
import type { UploadedImage } from '../uploaded-image.ts';

/** What every dialog of the editor is given. */
export interface DialogProps {
  name: DialogName;
  session: EditorSession;
  uploadImage: (file: File) => Promise<UploadedImage>;
  onClose: () => void;
}
