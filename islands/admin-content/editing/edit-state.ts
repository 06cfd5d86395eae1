import { isSignedOut, noticeOf } from '../../admin-shared/refusal.ts';
import type { FieldErrors } from '../../forms/form-fields.ts';
import type { Notice } from '../../ui/Alert.tsx';
import type { Draft } from '../drafts/draft-store.ts';
import type { SaveAnswer } from '../items/calls.ts';
import { fieldsOf, type ItemFields } from '../items/item-fields.ts';
import type { Item, ItemSummary } from '../items/records.ts';

/** The reason why a text could not be saved. */
export type Problem =
  | { what: 'failed'; notice: Notice; signedOut: boolean }
  /** No response, probably no network. */
  | { what: 'offline'; notice: Notice }
  | { what: 'gone' }
  /** Somebody else has saved the item; `changedBy` is null if it was changed by a command. */
  | { what: 'outdated'; current: Item; changedBy: string | null };

/** The open item. The editors hold its texts; the state only knows whether they differ from the stored ones. */
export interface EditState extends ItemFields {
  /** The stored values known to this screen. */
  stored: ItemFields & { version: number; updatedAt: string };
  textsChanged: boolean;
  sending: boolean;
  /** The server's faults; each is removed when its field is changed. */
  refused: FieldErrors;
  problem: Problem | null;
  /** Parts of a saved or imported text that could not be kept. */
  remarks: readonly string[];
  /** The browser cannot store drafts. */
  unkept: boolean;
  /** When the unsaved text of a published item was last kept on the server, in ISO 8601; null if it was not. */
  keptAt: string | null;
}

export type EditEvent =
  | { type: 'typed'; field: keyof ItemFields; value: string }
  | { type: 'texts'; changed: boolean }
  | { type: 'sending' }
  | { type: 'saved'; item: ItemSummary; sent: ItemFields; remarks: string[] }
  | { type: 'refused'; answer: SaveAnswer | null; failure: string }
  /** Replaces the typed values with the stored item. */
  | { type: 'taken'; item: ItemSummary }
  | { type: 'resumed'; draft: Draft }
  | { type: 'remarked'; remarks: string[] }
  /** The author has dismissed these remarks. */
  | { type: 'remarks read'; remarks: readonly string[] }
  | { type: 'unkept'; unkept: boolean }
  | { type: 'kept'; at: string }
  /** A time of publication was set for the draft of a new item, which has a new revision. */
  | { type: 'planned'; revision: number };

export function beginEdit(item: ItemSummary, remarks: readonly string[] = []): EditState {
  return {
    ...fieldsOf(item),
    stored: { ...fieldsOf(item), version: item.version, updatedAt: item.updated_at },
    textsChanged: false,
    sending: false,
    refused: {},
    problem: null,
    remarks,
    unkept: false,
    keptAt: null,
  };
}

export function reduceEdit(state: EditState, event: EditEvent): EditState {
  switch (event.type) {
    case 'typed': {
      const { [event.field]: _gone, ...refused } = state.refused;
      return { ...state, [event.field]: event.value, refused };
    }
    case 'texts':
      return state.textsChanged === event.changed ? state : { ...state, textsChanged: event.changed };
    case 'sending':
      return { ...state, sending: true, refused: {}, problem: null };
    case 'saved': {
      const stored = beginEdit(event.item).stored;
      // Fields changed during the save keep their new value; the others take the value stored by the server.
      const keep = (field: keyof ItemFields) => (state[field] === event.sent[field] ? stored[field] : state[field]);
      const kept = { titre: keep('titre'), intitule: keep('intitule'), annee: keep('annee'), duree: keep('duree'), bareme: keep('bareme') };
      const next = { ...state, ...kept, stored, sending: false, problem: null, keptAt: null };
      return { ...next, remarks: add(state.remarks, event.remarks) };
    }
    case 'refused':
      return refuse({ ...state, sending: false }, event);
    case 'taken':
      return { ...beginEdit(event.item, state.remarks), unkept: state.unkept };
    case 'resumed': {
      const { titre, intitule = state.intitule, annee, duree = state.duree, bareme = state.bareme, version } = event.draft;
      // The draft is saved with the version it began with, so that a later save by somebody else is not overwritten.
      return {
        ...state,
        titre,
        intitule,
        annee,
        duree,
        bareme,
        stored: { ...state.stored, version: version ?? state.stored.version },
        refused: {},
        problem: null,
      };
    }
    case 'remarked':
      return { ...state, remarks: add(state.remarks, event.remarks) };
    case 'remarks read':
      return { ...state, remarks: state.remarks.filter((remark) => !event.remarks.includes(remark)) };
    case 'unkept':
      return state.unkept === event.unkept ? state : { ...state, unkept: event.unkept };
    case 'kept':
      return { ...state, keptAt: event.at };
    case 'planned':
      return { ...state, stored: { ...state.stored, version: event.revision } };
  }
}

const add = (remarks: readonly string[], further: readonly string[]): string[] => [...new Set([...remarks, ...further])];

/** Returns where the typed text is kept, in French. */
export const keptWhere = (unkept: boolean): string => (unkept ? 'dans cette page seulement' : 'sur cet appareil');

function refuse(state: EditState, { answer, failure }: Extract<EditEvent, { type: 'refused' }>): EditState {
  const kept = `Votre texte est gardé ${keptWhere(state.unkept)}.`;
  if (!answer) return { ...state, problem: { what: 'offline', notice: noticeOf(null, failure, kept) } };
  const { status, body } = answer;
  if (status === 404) return { ...state, problem: { what: 'gone' } };
  if (status === 409 && body.current) {
    return { ...state, problem: { what: 'outdated', current: body.current, changedBy: body.changedBy ?? null } };
  }
  const errors = body.errors ?? [];
  const here = errors.filter(({ field }) => ['titre', 'intitule', 'annee', 'duree', 'bareme'].includes(field));
  const refused = Object.fromEntries(here.map(({ field, message }) => [field, message]));
  const others = errors.filter((error) => !here.includes(error)).map(({ message }) => message);
  if (here.length > 0 && others.length === 0) return { ...state, refused };
  const notice: Notice =
    others.length > 0 ? { kind: 'error', message: failure, detail: `${others.join(' ')} ${kept}` } : noticeOf(answer, failure, kept);
  return { ...state, refused, problem: { what: 'failed', notice, signedOut: isSignedOut(answer) } };
}

/** Returns whether saving would change the stored item. */
export const isModified = ({ titre, intitule, annee, duree, bareme, stored, textsChanged }: EditState): boolean =>
  textsChanged ||
  titre !== stored.titre ||
  intitule !== stored.intitule ||
  annee !== stored.annee ||
  duree !== stored.duree ||
  bareme !== stored.bareme;
