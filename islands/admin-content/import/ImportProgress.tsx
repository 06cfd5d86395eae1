import { UploadProgress } from '../../ui/UploadProgress.tsx';
import type { ImportState } from './import-file.ts';

/** The progress of an import. */
export function ImportProgress({ state }: { state: ImportState }) {
  if (state !== 'reducing') return <UploadProgress label="Envoi du document" sent={state} after="Lecture du document..." />;
  return (
    <div className="workbench__progress" role="status">
      <progress className="progress" aria-label="Réduction des images" />
      <span>Réduction des images...</span>
    </div>
  );
}
