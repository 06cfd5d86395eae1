import type { Node } from 'prosemirror-model';
import { type RefObject, useEffect, useEffectEvent, useReducer, useRef, useState } from 'react';
import type { TextField } from '../../../src/shared/item-kinds.ts';
import { isEmpty } from '../../../src/shared/rich-text/emptiness.ts';
import type { RichTextHandle } from '../../editor/RichTextEditor.tsx';
import { type Draft, type DraftPlace, keepDraft, newSession, removeDrafts, type StoredDraft, thisSession } from '../drafts/draft-store.ts';
import { useDraftWriter } from '../drafts/use-draft-writer.ts';
import type { Unsaved } from '../drafts/use-drafts.ts';
import type { DocumentJson } from '../items/calls.ts';
import { type Documents, documentsOf } from '../items/documents.ts';
import type { Item } from '../items/records.ts';
import { textsOf } from '../items/texts.ts';
import { begin, documentsIn } from './begin-editing.ts';
import { beginEdit, isModified, reduceEdit } from './edit-state.ts';

export type Editing = ReturnType<typeof useEditing>;

interface EditingOptions {
  item: Item;
  place: DraftPlace;
  /** Of this item, found on this device, the latest first. */
  drafts: StoredDraft[];
  remarks: readonly string[];
  onUnsaved: (unsaved: Unsaved) => void;
}

/**
 * What is open: fields, texts, drafts. The texts are the editors' own; here stand their documents, which cost nothing to hold, and are compared
 * and written when a draft is due, not at each key.
 */
export function useEditing({ item, place, drafts, remarks, onUnsaved }: EditingOptions) {
  const fields = textsOf(place.kind).map(({ field }) => field);
  const [begun] = useState(() => begin(item, drafts));
  const [state, dispatch] = useReducer(reduceEdit, null, () => {
    const fresh = beginEdit(item, remarks);
    return begun.own ? reduceEdit({ ...fresh, textsChanged: begun.changed }, { type: 'resumed', draft: begun.own.draft }) : fresh;
  });
  const [offers, setOffers] = useState(begun.offers);
  /** What is stored, and what the editors hold. */
  const stored = useRef(begun.stored);
  const current = useRef(begun.current);
  const handles: Record<TextField, RefObject<RichTextHandle | null>> = { contenu: useRef(null), corrige: useRef(null) };
  const modified = isModified(state);

  const textsDiffer = () => fields.some((field) => !current.current[field].eq(stored.current[field]));

  /** What is unsaved; null when nothing is. */
  function draftNow(textsChanged: boolean): Draft | null {
    if (!isModified({ ...state, textsChanged })) return null;
    const [contenu, corrige] = [json(current.current.contenu), json(current.current.corrige)];
    return { titre: state.titre, annee: state.annee, duree: state.duree, contenu, corrige, version: state.stored.version, at: Date.now() };
  }

  const changed = useDraftWriter(
    place,
    () => {
      const textsChanged = textsDiffer();
      dispatch({ type: 'texts', changed: textsChanged });
      return draftNow(textsChanged);
    },
    (kept) => dispatch({ type: 'unkept', unkept: !kept }),
  );

  const report = useEffectEvent(onUnsaved);
  useEffect(() => {
    report(modified ? 'typed' : offers.length > 0 ? 'left' : null);
  }, [modified, offers]);

  // biome-ignore lint/correctness/useExhaustiveDependencies: once, when the item opens
  useEffect(() => {
    // Also to learn whether the browser keeps it.
    if (begun.own) changed();
    // Found equal to what is stored: saved, but closed before its draft could go.
    if (begun.settled.length > 0) removeDrafts(begun.settled);
  }, []);

  function changeText(field: TextField, doc: Node): void {
    current.current = { ...current.current, [field]: doc };
    if (!state.textsChanged && doc !== stored.current[field]) dispatch({ type: 'texts', changed: true });
    changed();
  }

  /** Puts documents into the editors, as one step that can be undone in each. */
  function replaceTexts(documents: Documents): void {
    for (const field of fields) {
      if (current.current[field].eq(documents[field])) continue;
      current.current = { ...current.current, [field]: documents[field] };
      handles[field].current?.replace(documents[field]);
    }
  }

  /** Keeps what is typed apart from what will be: it is offered like any other draft. */
  async function setAside(): Promise<void> {
    const draft = draftNow(textsDiffer());
    if (!draft) return;
    const aside: StoredDraft = { place, session: newSession(), draft };
    setOffers((before) => [aside, ...before]);
    await keepDraft(aside).catch(() => {});
  }

  /** What is stored takes the place of what is typed, which is set aside. */
  async function take(stands: Item): Promise<void> {
    const kept = setAside();
    stored.current = documentsOf(stands);
    replaceTexts(stored.current);
    dispatch({ type: 'taken', item: stands });
    await kept;
    changed();
  }

  /** A draft takes the place of what is typed, which is set aside if it was typed here. */
  async function resume(offer: StoredDraft): Promise<void> {
    const kept = setAside();
    replaceTexts(documentsIn(offer.draft) ?? current.current);
    dispatch({ type: 'resumed', draft: offer.draft });
    dispatch({ type: 'texts', changed: textsDiffer() });
    await kept;
    // First written as this page's own, then given up as the other's.
    await keepDraft({ place, session: thisSession, draft: offer.draft }).catch(() => {});
    abandon(offer);
  }

  function abandon(offer: StoredDraft): void {
    setOffers((before) => before.filter((one) => one !== offer));
    removeDrafts([offer]);
  }

  /** @param sent the documents that were saved */
  function settle(saved: Item, sent: Documents): void {
    const stands = documentsOf(saved);
    for (const field of fields) {
      // The server may have stored an image of the text, or left out what it does not know.
      if (current.current[field] === sent[field] && !stands[field].eq(sent[field])) handles[field].current?.replace(stands[field]);
      stored.current = { ...stored.current, [field]: stands[field].eq(sent[field]) ? sent[field] : stands[field] };
    }
    changed();
  }

  return {
    state,
    dispatch,
    offers,
    handles,
    modified,
    /** The editors' documents when they appear. */
    initial: begun.current,
    documents: () => current.current,
    jsonOf: (field: TextField): DocumentJson | null => (isEmpty(current.current[field]) ? null : json(current.current[field])),
    changed,
    changeText,
    replaceTexts,
    take,
    resume,
    abandon,
    settle,
  };
}

const written = new WeakMap<Node, DocumentJson>();

/** A document in JSON; one that has not changed is not written again. */
function json(doc: Node): DocumentJson {
  const known = written.get(doc) ?? (doc.toJSON() as DocumentJson);
  written.set(doc, known);
  return known;
}
