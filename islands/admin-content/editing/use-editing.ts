import type { Node } from 'prosemirror-model';
import { type RefObject, useEffect, useEffectEvent, useReducer, useRef, useState } from 'react';
import type { TextField } from '../../../src/shared/item-kinds.ts';
import { isEmpty } from '../../../src/shared/rich-text/emptiness.ts';
import type { RichTextHandle } from '../../editor/RichTextEditor.tsx';
import { type Draft, type DraftPlace, keepDraft, newSession, removeDrafts, type StoredDraft, thisSession } from '../drafts/draft-store.ts';
import { useDraftWriter } from '../drafts/use-draft-writer.ts';
import type { Unsaved } from '../drafts/use-drafts.ts';
import type { DocumentJson } from '../items/calls.ts';
import { type Documents, documentsOf, settledDocuments } from '../items/documents.ts';
import type { Item } from '../items/records.ts';
import { textsOf } from '../items/texts.ts';
import { begin, documentsIn } from './begin-editing.ts';
import { beginEdit, isModified, reduceEdit } from './edit-state.ts';
import type { Sent } from './sent.ts';

export type Editing = ReturnType<typeof useEditing>;

interface EditingOptions {
  item: Item;
  place: DraftPlace;
  /** Drafts of this item on this device, latest first. */
  drafts: StoredDraft[];
  remarks: readonly string[];
  onUnsaved: (unsaved: Unsaved) => void;
}

/**
 * Manages the open item: fields, texts and drafts. The editors own the texts. This hook keeps their immutable documents, and compares or
 * serialises them only when a draft is due, not at every key.
 */
export function useEditing({ item, place, drafts, remarks, onUnsaved }: EditingOptions) {
  const fields = textsOf(place.kind).map(({ field }) => field);
  const [begun] = useState(() => begin(item, drafts));
  const [state, dispatch] = useReducer(reduceEdit, null, () => {
    const fresh = beginEdit(item, remarks);
    return begun.own ? reduceEdit({ ...fresh, textsChanged: begun.changed }, { type: 'resumed', draft: begun.own.draft }) : fresh;
  });
  const [offers, setOffers] = useState(begun.offers);
  /** The stored documents and the editors' current ones. */
  const stored = useRef(begun.stored);
  /** The version of the stored documents, or the revision of a new item's draft. */
  const storedVersion = useRef(item.version);
  const current = useRef(begun.current);
  /** A save of the draft that the server may have stored: its answer was lost. */
  const unanswered = useRef<Sent | null>(null);
  const handles: Record<TextField, RefObject<RichTextHandle | null>> = { contenu: useRef(null), corrige: useRef(null) };
  const modified = isModified(state);

  const textsDiffer = () => fields.some((field) => !current.current[field].eq(stored.current[field]));

  /** Returns the draft of the unsaved text, or null if nothing is unsaved. */
  function draftNow(textsChanged: boolean): Draft | null {
    if (!isModified({ ...state, textsChanged })) return null;
    const [contenu, corrige] = [json(current.current.contenu), json(current.current.corrige)];
    const { titre, intitule, annee, duree, bareme } = state;
    return { titre, intitule, annee, duree, bareme, contenu, corrige, version: state.stored.version, at: Date.now() };
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

  // biome-ignore lint/correctness/useExhaustiveDependencies: runs once, when the item opens
  useEffect(() => {
    // Writing the draft again also shows whether the browser can store it.
    if (begun.own) changed();
    // These drafts equal the stored item: the page was closed after a save, before its draft was deleted.
    if (begun.settled.length > 0) removeDrafts(begun.settled);
  }, []);

  function changeText(field: TextField, doc: Node): void {
    current.current = { ...current.current, [field]: doc };
    if (!state.textsChanged && doc !== stored.current[field]) dispatch({ type: 'texts', changed: true });
    changed();
  }

  /** Replaces the editors' documents, each in one step that can be undone. */
  function replaceTexts(documents: Documents): void {
    for (const field of fields) {
      if (current.current[field].eq(documents[field])) continue;
      current.current = { ...current.current, [field]: documents[field] };
      handles[field].current?.replace(documents[field]);
    }
  }

  /** Stores the typed text as a separate draft, which the page offers like a draft of an earlier page. */
  async function setAside(): Promise<void> {
    const draft = draftNow(textsDiffer());
    if (!draft) return;
    const aside: StoredDraft = { place, session: newSession(), draft };
    setOffers((before) => [aside, ...before]);
    await keepDraft(aside).catch(() => {});
  }

  /** Replaces the typed text with the stored item. Sets the typed text aside first. */
  async function take(stands: Item): Promise<void> {
    const kept = setAside();
    stored.current = documentsOf(stands);
    storedVersion.current = stands.version;
    replaceTexts(stored.current);
    dispatch({ type: 'taken', item: stands });
    await kept;
    changed();
  }

  /** Replaces the text with a draft. Sets text typed on this page aside first, and keeps the draft as this page's own. */
  async function replace(draft: Draft): Promise<void> {
    const kept = setAside();
    replaceTexts(documentsIn(draft) ?? current.current);
    dispatch({ type: 'resumed', draft });
    dispatch({ type: 'texts', changed: textsDiffer() });
    await kept;
    await keepDraft({ place, session: thisSession, draft }).catch(() => {});
  }

  /** Continues with another page's draft. It is deleted only once it is this page's own. */
  async function resume(offer: StoredDraft): Promise<void> {
    await replace(offer.draft);
    abandon(offer);
  }

  function abandon(offer: StoredDraft): void {
    setOffers((before) => before.filter((one) => one !== offer));
    removeDrafts([offer]);
  }

  /** Adopts the saved item. @param sent the documents that were sent */
  function settle(saved: Item, sent: Documents): void {
    const stands = settledDocuments(saved, sent);
    storedVersion.current = saved.version;
    for (const field of fields) {
      // The server may have stored a picture of the text, or removed elements that it does not know.
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
    /** The documents with which the editors start. */
    initial: begun.current,
    documents: () => current.current,
    unanswered,
    storedDocuments: () => stored.current,
    storedVersion: () => storedVersion.current,
    /** The stored documents have a new revision: a time of publication was set for them. */
    planned: (revision: number) => {
      storedVersion.current = revision;
    },
    jsonOf: (field: TextField): DocumentJson | null => (isEmpty(current.current[field]) ? null : json(current.current[field])),
    changed,
    changeText,
    replaceTexts,
    take,
    replace,
    resume,
    abandon,
    settle,
  };
}

const written = new WeakMap<Node, DocumentJson>();

/** Returns a document as JSON. Documents and blocks that have not changed are not serialised again: a draft is due every second of typing. */
function json(doc: Node): DocumentJson {
  const blockJson = (block: Node): DocumentJson => known(block, () => block.toJSON() as DocumentJson);
  return known(doc, () => ({ type: doc.type.name, content: doc.children.map(blockJson) }));
}

function known(node: Node, write: () => DocumentJson): DocumentJson {
  const json = written.get(node) ?? write();
  written.set(node, json);
  return json;
}
