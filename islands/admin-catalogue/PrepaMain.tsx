import type { RefObject } from 'react';
import { ReadFailure } from '../ui/ReadFailure.tsx';
import type { CatalogueState } from './catalogue-state.ts';
import { DisciplineCard } from './DisciplineCard.tsx';
import type { AnyRecord, Discipline, Kind } from './records.ts';

interface PrepaMainProps {
  /** Takes the focus when the focused element is removed. */
  title: RefObject<HTMLHeadingElement | null>;
  state: CatalogueState;
  onRetry: () => void;
  onEdit: (kind: Kind, record: AnyRecord | null) => void;
  onDelete: (discipline: Discipline) => void;
}

/** The selected prepa and its disciplines. */
export function PrepaMain({ title, state, onRetry, onEdit, onDelete }: PrepaMainProps) {
  const { prepas, selected, disciplines, reading } = state;
  const prepa = prepas.find(({ id }) => id === selected);
  if (!prepa) {
    // If the list could not be read, the screen cannot tell whether prepas exist.
    const failed = state.failed && prepas.length === 0;
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
              <button className="button" type="button" onClick={() => onEdit('prepa', null)}>
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
        <button className="button" type="button" onClick={() => onEdit('discipline', null)}>
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
              <button className="button" type="button" onClick={() => onEdit('discipline', null)}>
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
              onEdit={() => onEdit('discipline', discipline)}
              onDelete={() => onDelete(discipline)}
            />
          ))}
        </ul>
      )}
    </>
  );
}
