import { documentFromJson } from '../../../src/shared/rich-text/document.ts';
import { readHtml } from '../../editor/html.ts';
import { type Draft, type StoredDraft, thisSession } from '../drafts/draft-store.ts';
import { type Documents, documentsOf } from '../items/documents.ts';
import type { Item } from '../items/records.ts';
import { beginEdit } from './edit-state.ts';

/** Returns null if this version of the schema cannot read the draft. */
export function documentsIn({ contenu, corrige }: Draft): Documents | null {
  try {
    const [first, second] = [contenu, corrige].map((text) => (text === null ? readHtml('') : documentFromJson(text)));
    return first && second ? { contenu: first, corrige: second } : null;
  } catch {
    return null;
  }
}

/** Restores this page's own draft. Offers drafts of earlier pages that differ from the stored item. */
export function begin(item: Item, drafts: StoredDraft[]) {
  const stored = documentsOf(item);
  const fresh = beginEdit(item);
  const differs = ({ draft }: StoredDraft) => {
    const documents = documentsIn(draft);
    const same = documents?.contenu.eq(stored.contenu) && documents.corrige.eq(stored.corrige);
    const { titre, intitule = fresh.intitule, annee, duree = fresh.duree, bareme = fresh.bareme } = draft;
    return (
      !same ||
      titre !== fresh.titre ||
      intitule !== fresh.intitule ||
      annee !== fresh.annee ||
      duree !== fresh.duree ||
      bareme !== fresh.bareme
    );
  };
  const own = drafts.find((stored) => stored.session === thisSession && differs(stored)) ?? null;
  const current = (own && documentsIn(own.draft)) ?? stored;
  return {
    stored,
    current,
    own,
    changed: !current.contenu.eq(stored.contenu) || !current.corrige.eq(stored.corrige),
    offers: drafts.filter((stored) => stored.session !== thisSession && differs(stored)),
    settled: drafts.filter((stored) => !differs(stored)),
  };
}
