import { kindDetails } from '../../../../shared/item-kinds.ts';
import type { DraftRow, ListedDraft } from '../drafts/draft.repository.ts';
import { withItsKeys } from '../item.presenter.ts';

/** Returns a draft in a list, without its texts. */
export function presentListedDraft(draft: ListedDraft) {
  const {
    id,
    kind,
    titre,
    intitule,
    annee,
    duree,
    bareme,
    disciplineId,
    version,
    revision,
    publishAt,
    fault,
    remarks,
    source,
    savedAt,
    savedBy,
  } = draft;
  const { hasAnnee, hasDuree, hasBareme } = kindDetails[kind];
  return {
    id,
    type: kind,
    titre,
    intitule,
    ...(hasAnnee && { annee }),
    ...(hasDuree && { duree }),
    ...(hasBareme && { bareme }),
    discipline_id: disciplineId,
    publie: draft.isPublished,
    version,
    revision,
    publication: publishAt && new Date(publishAt).toISOString(),
    echec: fault,
    remarques: remarks,
    source,
    saved_at: new Date(savedAt).toISOString(),
    saved_by: savedBy,
  };
}

/** Returns a draft with its texts, for administrators alone. */
export function presentDraft(draft: DraftRow) {
  const { contenu, corrige } = withItsKeys(draft);
  const { text, hasCorrection } = kindDetails[draft.kind];
  return {
    ...presentListedDraft(draft),
    ...(text === 'enonce' ? { enonce: contenu } : { contenu }),
    ...(hasCorrection && { corrige }),
  };
}
