import type { FoundExercise, ImportedDocument } from '../items/calls.ts';
import { importFault } from './import-fault.ts';
import type { ImportRow } from './import-row.ts';
import { SplitOffer } from './SplitOffer.tsx';

/** What the author wants of a file that was not imported. */
export type Again = 'retry' | 'replace' | 'both' | 'skip';

interface ImportRowItemProps {
  row: ImportRow;
  onSplit: (read: ImportedDocument, chosen: readonly FoundExercise[]) => void;
  onWhole: (read: ImportedDocument) => void;
  onAgain: (what: Again) => void;
}

/** A file to import: what became of it, and the author's choices. */
export function ImportRowItem({ row, onSplit, onWhole, onAgain }: ImportRowItemProps) {
  const { file, state, said, remarks, read } = row;
  return (
    <li data-state={state}>
      <p>
        <strong>{file.name}</strong> {said && <span>{said}</span>}
      </p>
      {remarks.length > 0 && (
        <details>
          <summary>{`${remarks.length} ${remarks.length === 1 ? 'remarque' : 'remarques'}`}</summary>
          <ul>
            {remarks.map((remark) => (
              <li key={remark}>{remark}</li>
            ))}
          </ul>
        </details>
      )}
      {state === 'split' && read && (
        <SplitOffer exercises={read.exercices} onSplit={(chosen) => onSplit(read, chosen)} onWhole={() => onWhole(read)} />
      )}
      {state === 'failed' && !row.isLost && importFault(file) === null && (
        <button className="button button--quiet" type="button" onClick={() => onAgain('retry')}>
          Réessayer
        </button>
      )}
      {state === 'same' && (
        <p className="actions">
          <button className="button button--quiet" type="button" onClick={() => onAgain('replace')}>
            Remplacer le brouillon
          </button>
          <button className="button button--quiet" type="button" onClick={() => onAgain('both')}>
            Garder les deux
          </button>
          <button className="button button--quiet" type="button" onClick={() => onAgain('skip')}>
            Passer
          </button>
        </p>
      )}
    </li>
  );
}
