import { useRef, useState } from 'react';
import type { ItemKind } from '../../../src/shared/item-kinds.ts';
import type { ItemBody } from '../items/calls.ts';
import { type Documents, documentsOf, settledDocuments } from '../items/documents.ts';
import { keepOnServer } from '../items/draft-calls.ts';
import { fieldsOf } from '../items/item-fields.ts';
import type { KeptDraft } from '../items/records.ts';
import { sendTexts } from '../items/send-texts.ts';
import { isModified } from './edit-state.ts';
import { bodyNow, mayBeStored, type Opened, storedBase } from './saving.ts';
import type { Editing } from './use-editing.ts';
import { useEveryMinute } from './use-every-minute.ts';

interface KeptDraftOptions {
  /** The draft of a new item is saved instead. */
  opened: Opened;
  kind: ItemKind;
  id: number;
  /** The draft of this published item that the server had when the item was opened. */
  found: KeptDraft | null;
  editing: Editing;
  onKept: (draft: KeptDraft) => void;
}

/** A text as it is sent, with the revision and version on which it is based. */
interface Save {
  content: readonly unknown[];
  documents: Documents;
  body: ItemBody;
  from: { revision: number | null; version: number };
}

/**
 * Keeps the unsaved text of a published item on the server as its draft, every minute and on demand. While the server has a draft that was
 * not taken over here, nothing is kept: it may be somebody else's.
 */
export function useKeptDraft({ opened, kind, id, found, editing, onKept }: KeptDraftOptions) {
  /** A draft on the server, on which the author must decide. */
  const [offer, setOffer] = useState(found);
  /** Revision of the draft that this page has written; null before. */
  const revision = useRef<number | null>(null);
  /** The texts of that draft. */
  const kept = useRef<Documents | null>(null);
  const sending = useRef(false);
  /** A save that the server may have stored. It is sent again before a later one, which would otherwise conflict with it. */
  const unanswered = useRef<Save | null>(null);
  /** What the last kept draft contains. */
  const last = useRef<ReturnType<typeof contentOf> | null>(null);
  const { state, dispatch } = editing;

  /** Returns the kept draft; null after a failure. @param isQuiet whether a failure is not shown: the text is also kept on this device */
  async function keep(isQuiet = false): Promise<KeptDraft | null> {
    if (sending.current || offer) return null;
    sending.current = true;
    const content = contentOf(editing);
    const documents = editing.documents();
    const body = bodyNow(kind, editing);
    const before = unanswered.current;
    const found = before && (await send(before, isQuiet));
    const isSame = before?.content.every((part, index) => part === content[index]);
    const answered = before && (!found || isSame) ? found : await send({ content, documents, body, from: baseNow() }, isQuiet);
    sending.current = false;
    return answered;
  }

  const baseNow = () => ({ revision: revision.current, version: state.stored.version });

  async function send(save: Save, isQuiet: boolean): Promise<KeptDraft | null> {
    const { content, documents, body, from } = save;
    const base =
      from.revision !== null && kept.current
        ? { documents: kept.current, of: { revision: from.revision } }
        : storedBase('item', from.version, editing);
    const answer = await sendTexts({ kind, body, documents, base }, (sent) => keepOnServer(id, sent, from));
    unanswered.current = mayBeStored(answer) ? save : null;
    const { brouillon, current } = answer?.body ?? {};
    if (answer?.ok && brouillon) {
      revision.current = brouillon.revision;
      last.current = content;
      kept.current = settledDocuments(brouillon, documents);
      dispatch({ type: 'kept', at: brouillon.saved_at });
      onKept(brouillon);
      return brouillon;
    }
    if (answer?.status === 409 && current) {
      revision.current = null;
      setOffer(current);
    } else if (!isQuiet)
      dispatch({ type: 'refused', answer: answer as never, failure: "Le brouillon n'a pas pu être gardé sur le serveur" });
    return null;
  }

  useEveryMinute(() => {
    const isKept = last.current !== null && contentOf(editing).every((part, index) => part === last.current?.[index]);
    if (opened === 'item' && isModified(state) && !state.sending && !isKept) keep(true);
  });

  /** Continues with the draft on the server. The text typed here is set aside. */
  async function resume(): Promise<void> {
    if (!offer) return;
    revision.current = offer.revision;
    const { titre, intitule, annee, duree, bareme } = fieldsOf(offer);
    const documents = documentsOf(offer);
    const { contenu, corrige } = documents;
    kept.current = documents;
    await editing.replace({
      titre,
      intitule,
      annee,
      duree,
      bareme,
      contenu: contenu.toJSON(),
      corrige: corrige.toJSON(),
      version: offer.version,
      at: Date.parse(offer.saved_at),
    });
    setOffer(null);
  }

  return {
    offer,
    keep,
    resume,
    /** Revision of the draft that the text contains: a save removes it. */
    revision: () => revision.current,
    /** Continues with a later revision of the draft, which has the same text. */
    adopt: (later: number) => {
      revision.current = later;
    },
    /** Forgets the draft once it was published or deleted. */
    forget: () => {
      revision.current = null;
      kept.current = null;
      last.current = null;
      unanswered.current = null;
      setOffer(null);
    },
  };
}

/** Returns what a draft contains, to compare by identity: documents are immutable. */
function contentOf({ state, documents }: Editing): readonly unknown[] {
  const { contenu, corrige } = documents();
  return [contenu, corrige, state.titre, state.intitule, state.annee, state.duree, state.bareme];
}
