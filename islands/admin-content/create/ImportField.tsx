import type { ChangeEvent } from 'react';
import { UploadProgress } from '../files/UploadProgress.tsx';

interface ImportFieldProps {
  /** How much of the file has left, 0 to 1; null: none is on its way. */
  sent: number | null;
  /** What could not be kept of the file that was read; undefined: none was read. */
  remarks: readonly string[] | undefined;
  onChoose: (event: ChangeEvent<HTMLInputElement>) => void;
}

/** The file that a new item may begin with. */
export function ImportField({ sent, remarks, onChoose }: ImportFieldProps) {
  return (
    <div className="field">
      <label htmlFor="create-file">Importer un document (Word ou Markdown)</label>
      <p className="field__hint" id="create-file-hint">
        Facultatif. Fichier .docx ou .md, 10 Mo maximum
      </p>
      <input
        className="input"
        type="file"
        id="create-file"
        accept=".docx,.md,.markdown"
        aria-describedby="create-file-hint"
        onChange={onChoose}
      />
      <div aria-live="polite">
        {sent !== null && <UploadProgress label="Envoi du document" sent={sent} after="Lecture du document..." />}
        {remarks && (
          <p className="field__hint">
            {remarks.length === 0 ? 'Document lu.' : `Document lu, avec ${remarks.length} remarque(s) à vérifier ensuite.`}
          </p>
        )}
      </div>
    </div>
  );
}
