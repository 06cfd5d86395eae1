import type { RefObject } from 'react';
import { ReadFailure } from '../ui/ReadFailure.tsx';
import { DisciplineCard } from './DisciplineCard.tsx';
import type { AnyRecord, Discipline, Kind, Prepa } from './records.ts';

interface PrepaMainProps {
  /** Takes the focus when what had it has gone. */
  title: RefObject<HTMLHeadingElement | null>;
  prepa: Prepa | null;
  /** Whether there are prepas is not known. */
  failed: boolean;
  disciplines: Discipline[];
  reading: 'done' | 'waiting' | 'failed';
  onRetry: () => void;
  onOpen: (kind: Kind, what: 'edit' | 'delete', record: AnyRecord | null) => void;
}

/** The selected prepa with its disciplines. */
export function PrepaMain({ title, prepa, failed, disciplines, reading, onRetry, onOpen }: PrepaMainProps) {
  if (!prepa) {
    return (
      <div className="empty">
        <h2 id="workbench-title" ref={title} tabIndex={-1}>
          {failed ? 'Préparations non chargées' : 'Aucune préparation sélectionnée'}
        </h2>
        {failed ? (
          <p>Rien n'est perdu. Réessayez dans un instant.</p>
        ) : (
          <>
            <p>Veuillez sélectionner une préparation existante ou en créer une nouvelle.</p>
            <p className="actions">
              <button className="button" type="button" onClick={() => onOpen('prepa', 'edit', null)}>
                Créer une préparation
              </button>
            </p>
          </>
        )}
      </div>
    );
  }
  return (
    <>
      <header className="workbench__head">
        <div>
          <h2 id="workbench-title" ref={title} tabIndex={-1}>
            {prepa.nom}
          </h2>
          <p className="workbench__state">
            <span className={prepa.is_published ? 'badge badge--success' : 'badge'}>{prepa.is_published ? 'Publiée' : 'Non publiée'}</span>
          </p>
        </div>
        <button className="button" type="button" onClick={() => onOpen('discipline', 'edit', null)}>
          Nouvelle discipline
        </button>
      </header>
      <div aria-live="polite" aria-busy={reading === 'waiting'}>
        {reading === 'waiting' && disciplines.length === 0 && <p className="workbench__waiting">Chargement...</p>}
        {reading === 'failed' && (
          <ReadFailure message="Impossible de charger les disciplines. Veuillez réessayer plus tard." onRetry={onRetry} />
        )}
        {reading === 'done' && disciplines.length === 0 && (
          <div className="empty">
            <p>Aucune discipline n'a été créée pour cette préparation.</p>
            <p className="actions">
              <button className="button" type="button" onClick={() => onOpen('discipline', 'edit', null)}>
                Créer une discipline
              </button>
            </p>
          </div>
        )}
      </div>
      {disciplines.length > 0 && (
        <ul className="cards plain">
          {disciplines.map((discipline) => (
            <DisciplineCard
              key={discipline.id}
              discipline={discipline}
              onEdit={() => onOpen('discipline', 'edit', discipline)}
              onDelete={() => onOpen('discipline', 'delete', discipline)}
            />
          ))}
        </ul>
      )}
    </>
  );
}
