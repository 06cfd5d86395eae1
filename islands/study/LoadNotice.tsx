import { isOffline, withoutNetwork } from '../runtime/without-network.ts';
import { BusyButton } from '../ui/BusyButton.tsx';
import { Icon } from '../ui/Icon.tsx';
import type { ReadingState } from './reading.ts';

interface LoadNoticeProps {
  state: ReadingState;
  /** Address of the parent page. */
  back: string;
  onRetry: () => void;
  onDismiss: () => void;
}

/** Says that an item is loading or could not be loaded. The current text stays. */
export function LoadNotice({ state: { asked, loading, failures }, back, onRetry, onDismiss }: LoadNoticeProps) {
  if (!asked) return null;
  if (failures === 0) {
    return (
      <div className="study__notice alert" role="status">
        <p>Chargement...</p>
      </div>
    );
  }
  return (
    <div className="study__notice alert alert--error" role="alert">
      <Icon name="error" />
      <div>
        <p>
          <strong>Erreur lors du chargement du contenu</strong>
        </p>
        {/* A new element for each failure, so that screen readers announce each. */}
        <p key={failures}>Une erreur est survenue lors du chargement des données. Veuillez réessayer.</p>
        {isOffline() && <p>{withoutNetwork} Le texte affiché et les contenus déjà ouverts sur cette page restent lisibles.</p>}
      </div>
      <p className="actions">
        <BusyButton type="button" label="Réessayer" busyLabel="Chargement..." busy={loading} onClick={onRetry} />
        <a className="button button--quiet" href={back}>
          Retour
        </a>
      </p>
      <button className="icon-button" type="button" aria-label="Fermer le message" onClick={onDismiss}>
        <Icon name="close" />
      </button>
    </div>
  );
}
