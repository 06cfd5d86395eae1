import { useState } from 'react';
import { call } from '../../runtime/post.ts';
import { Icon } from '../../ui/Icon.tsx';
import { toast } from '../../ui/toast.ts';
import { draftAddress } from '../items/draft-calls.ts';
import type { KeptDraft } from '../items/records.ts';
import { formatMoment } from '../items/times.ts';

interface KeptDraftOfferProps {
  draft: KeptDraft;
  onResume: () => void;
  onDeleted: () => void;
}

/** Offers to continue the draft of a published item that is kept on the server. */
export default function KeptDraftOffer({ draft, onResume, onDeleted }: KeptDraftOfferProps) {
  const [busy, setBusy] = useState(false);

  async function remove(): Promise<void> {
    if (busy) return;
    setBusy(true);
    const answer = await call('DELETE', draftAddress(draft.id));
    setBusy(false);
    if (answer?.ok || answer?.status === 404) {
      toast('success', 'Brouillon supprimé');
      return onDeleted();
    }
    toast('error', answer?.body.message ?? "Le brouillon n'a pas pu être supprimé. Vérifiez votre connexion, puis réessayez.");
  }

  return (
    <div className="alert alert--info">
      <Icon name="info" />
      <div>
        <p>
          {`Un brouillon de ${draft.saved_by}, ${formatMoment(draft.saved_at, new Date())}, n'est pas publié : `}
          <strong>{draft.titre || 'sans titre'}</strong>.
          {draft.publication && ` Publication prévue : ${formatMoment(draft.publication, new Date())}.`}
          {draft.echec && ` Il n'a pas pu être publié à l'heure prévue : ${draft.echec}`}
        </p>
        <p className="actions">
          <button className="button button--secondary" type="button" onClick={onResume}>
            Reprendre le brouillon
          </button>
          <button className="button button--quiet" type="button" aria-busy={busy} onClick={remove}>
            Le supprimer
          </button>
        </p>
      </div>
    </div>
  );
}
