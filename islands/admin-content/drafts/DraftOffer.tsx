import { Icon } from '../../ui/Icon.tsx';
import { formatMoment } from '../items/times.ts';
import type { StoredDraft } from './draft-store.ts';

interface DraftOfferProps {
  offer: StoredDraft;
  /** The stored item's version. */
  version: number;
  onResume: () => void;
  onAbandon: () => void;
}

/** Offers to restore an earlier unsaved draft. */
export default function DraftOffer({ offer: { draft }, version, onResume, onAbandon }: DraftOfferProps) {
  return (
    <div className="alert alert--info">
      <Icon name="info" />
      <div>
        <p>
          {`Un brouillon non enregistré de ${formatMoment(draft.at, new Date())} est gardé sur cet appareil : `}
          <strong>{draft.titre || 'sans titre'}</strong>.
          {draft.version !== null &&
            draft.version < version &&
            ' Le texte a été enregistré depuis ; rien ne sera écrasé sans vous le demander.'}
        </p>
        <p className="actions">
          <button className="button button--secondary" type="button" onClick={onResume}>
            Reprendre le brouillon
          </button>
          <button className="button button--quiet" type="button" onClick={onAbandon}>
            L'abandonner
          </button>
        </p>
      </div>
    </div>
  );
}
