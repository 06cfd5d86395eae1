import { useState } from 'react';
import { toast } from '../../ui/toast.ts';
import { createItem, type SavedItem } from '../items/calls.ts';
import { bodyOf } from '../items/item-body.ts';
import { texts } from '../items/texts.ts';
import { formatMoment } from '../items/times.ts';
import type { StoredDraft } from './draft-store.ts';

interface OrphanDraftProps {
  orphan: StoredDraft;
  onRevived: (item: SavedItem) => void;
  onOver: () => void;
}

/** Offers to create a new item from the unsaved draft of a deleted one. */
export default function OrphanDraft({ orphan: { place, draft }, onRevived, onOver }: OrphanDraftProps) {
  const { goneDraft, createFailed, created } = texts[place.kind];
  const [busy, setBusy] = useState(false);

  async function revive(): Promise<void> {
    if (busy) return;
    setBusy(true);
    const answer = await createItem(place.kind, {
      ...bodyOf(place.kind, { ...draft, intitule: draft.intitule ?? '', duree: draft.duree ?? '', bareme: draft.bareme ?? '' }, draft),
      discipline_id: place.disciplineId,
    });
    setBusy(false);
    if (!answer?.ok) return toast('error', [createFailed, answer?.body.message].filter(Boolean).join('. '));
    toast('success', created);
    onRevived(answer.body as SavedItem);
    onOver();
  }

  return (
    <div className="alert alert--warning authoring__orphan">
      <div>
        <p>
          {goneDraft} : <strong>{draft.titre}</strong>, {formatMoment(draft.at, new Date())}
        </p>
        <p className="actions">
          <button className="button button--secondary" type="button" aria-busy={busy} onClick={revive}>
            Créer de nouveau
          </button>
          <button className="button button--quiet" type="button" onClick={onOver}>
            L'abandonner
          </button>
        </p>
      </div>
    </div>
  );
}
