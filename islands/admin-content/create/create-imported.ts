import type { DraftPlace } from '../drafts/draft-store.ts';
import { findLostDraft } from '../import/lost-draft.ts';
import type { ItemBody } from '../items/calls.ts';
import { createDraft, type DraftAnswer, keepOnServer } from '../items/draft-calls.ts';
import type { DraftSummary } from '../items/records.ts';

interface ImportedFile {
  /** Name of the file. */
  source: string;
  remarques: readonly string[];
  /** The drafts of the discipline that the page knew before the first try. */
  known: readonly DraftSummary[];
}

/**
 * Returns a function that creates the draft of an imported file. When it is called again after a lost response, it saves over the draft that
 * exists by then, unless somebody has changed that.
 */
export function draftCreation() {
  /** The file whose draft may exist, because the response to its creation was lost. */
  let unanswered: string | null = null;
  return async (place: DraftPlace, body: ItemBody, { source, remarques, known }: ImportedFile): Promise<DraftAnswer | null> => {
    const { kind, disciplineId } = place;
    if (unanswered === source) {
      const { drafts, lost, answer } = await findLostDraft(disciplineId, { kind, source, known });
      if (!drafts) return answer;
      if (lost && lost.revision > 1) return changedMeanwhile;
      if (lost) return keepOnServer(lost.id, { ...body, remarques }, { revision: lost.revision });
    }
    const answer = await createDraft(kind, { ...body, discipline_id: disciplineId }, { source, remarques });
    // The response of a proxy may also hide that the draft was kept.
    unanswered = answer === null || answer.status >= 500 ? source : null;
    return answer;
  };
}

const changedMeanwhile: DraftAnswer = {
  status: 409,
  ok: false,
  body: {
    message: 'Le brouillon de ce fichier est créé, et il a été modifié depuis. Fermez cette fenêtre pour le retrouver dans la liste.',
  },
};
