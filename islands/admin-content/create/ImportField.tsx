import type { ChangeEvent } from 'react';
import { FieldFrame, fieldAttributes } from '../../ui/FieldFrame.tsx';
import { UploadProgress } from '../../ui/UploadProgress.tsx';

interface ImportFieldProps {
  /** How much of the file has left, 0 to 1; null: none is on its way. */
  sent: number | null;
  /** What could not be kept of the file that was read; undefined: none was read. */
  remarks: readonly string[] | undefined;
  onChoose: (event: ChangeEvent<HTMLInputElement>) => void;
}

const texts = {
  id: 'create-file',
  label: 'Importer un document (Word ou Markdown)',
  hint: 'Facultatif. Fichier .docx ou .md, 10 Mo maximum',
};

/** The file that a new item may begin with. */
export function ImportField({ sent, remarks, onChoose }: ImportFieldProps) {
  const control = <input className="input" type="file" accept=".docx,.md,.markdown" {...fieldAttributes(texts)} onChange={onChoose} />;
  return (
    <FieldFrame {...texts} control={control}>
      <div aria-live="polite">
        {sent !== null && <UploadProgress label="Envoi du document" sent={sent} after="Lecture du document..." />}
        {remarks && (
          <p className="field__hint">
            {remarks.length === 0 ? 'Document lu.' : `Document lu, avec ${remarks.length} remarque(s) à vérifier ensuite.`}
          </p>
        )}
      </div>
    </FieldFrame>
  );
}
