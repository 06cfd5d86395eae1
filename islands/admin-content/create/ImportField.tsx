import type { ChangeEvent } from 'react';
import { FieldFrame, fieldAttributes } from '../../ui/FieldFrame.tsx';
import { ImportProgress } from '../import/ImportProgress.tsx';
import { importable } from '../import/import-fault.ts';
import type { ImportState } from '../import/import-file.ts';

interface ImportFieldProps {
  /** Null if no upload is in progress. */
  sent: ImportState | null;
  /** Parts of the imported file that could not be kept; undefined if no file was imported. */
  remarks: readonly string[] | undefined;
  onChoose: (event: ChangeEvent<HTMLInputElement>) => void;
}

const texts = {
  id: 'create-file',
  label: 'Importer un document (Word, LibreOffice, HTML, Markdown ou TeX)',
  hint: "Facultatif. Fichier .docx, .odt, .html, .md ou .tex, ou de questions (.xml, .gift, .txt), 10 Mo maximum ; les photos d'un document .docx ou .odt plus lourd sont réduites avant l'envoi",
};

/** Chooses a file as the first text of a new item. */
export function ImportField({ sent, remarks, onChoose }: ImportFieldProps) {
  const control = <input className="input" type="file" accept={importable} {...fieldAttributes(texts)} onChange={onChoose} />;
  return (
    <FieldFrame {...texts} control={control}>
      <div aria-live="polite">
        {sent !== null && <ImportProgress state={sent} />}
        {remarks && (
          <p className="field__hint">
            {remarks.length === 0 ? 'Document lu.' : `Document lu, avec ${remarks.length} remarque(s) à vérifier ensuite.`}
          </p>
        )}
      </div>
    </FieldFrame>
  );
}
