import { isSignedOut, noticeOf } from '../../admin-shared/refusal.ts';
import type { FieldErrors } from '../../forms/form-fields.ts';
import type { Notice } from '../../ui/Alert.tsx';
import type { Draft } from '../drafts/draft-store.ts';
import type { SaveAnswer } from '../items/calls.ts';
import type { ItemFields } from '../items/item-fields.ts';
import type { Item, ItemSummary } from '../items/records.ts';

/** What keeps a text from being saved. */
export type Problem =
  | { what: 'failed'; notice: Notice; signedOut: boolean }
  /** Nothing was answered: the network, most likely. */
  | { what: 'offline'; notice: Notice }
  | { what: 'gone' }
  /** Somebody has saved it; null: at the terminal. */
  | { what: 'outdated'; current: Item; changedBy: string | null };

/** The item that is open. Its texts are the editors' own; here is only whether they differ from what is stored. */
export interface EditState extends ItemFields {
  /** What is stored, as far as this screen knows. */
  stored: ItemFields & { version: number; updatedAt: string };
  textsChanged: boolean;
  sending: boolean;
  /** Said by the server of what was sent; gone when the field is typed in. */
  refused: FieldErrors;
  problem: Problem | null;
  /** What could not be kept of a text that was saved or imported. */
  remarks: readonly string[];
  /** The browser keeps no drafts. */
  unkept: boolean;
}

export type EditEvent =
  | { type: 'typed'; field: keyof ItemFields; value: string }
  | { type: 'texts'; changed: boolean }
  | { type: 'sending' }
  | { type: 'saved'; item: ItemSummary; sent: ItemFields; remarks: string[] }
  | { type: 'refused'; answer: SaveAnswer | null; failure: string }
  /** What is stored takes the place of what was typed. */
  | { type: 'taken'; item: ItemSummary }
  | { type: 'resumed'; draft: Draft }
  | { type: 'remarked'; remarks: string[] }
  | { type: 'remarks read' }
  | { type: 'unkept'; unkept: boolean };

const fieldsOf = ({ titre, annee, duree }: Pick<ItemSummary, 'titre' | 'annee' | 'duree'>): ItemFields => ({
  titre,
  annee: annee ? String(annee) : '',
  duree: duree ? String(duree) : '',
});

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
      // What was typed while it was being sent stays; what was sent is now as the server has stored it.
      const keep = (field: keyof ItemFields) => (state[field] === event.sent[field] ? stored[field] : state[field]);
      const next = { ...state, titre: keep('titre'), annee: keep('annee'), duree: keep('duree'), stored, sending: false, problem: null };
      return { ...next, remarks: add(state.remarks, event.remarks) };
    }
    case 'refused':
      return refuse({ ...state, sending: false }, event);
    case 'taken':
      return { ...beginEdit(event.item, state.remarks), unkept: state.unkept };
    case 'resumed': {
      const { titre, annee, duree = state.duree, version } = event.draft;
      // Saved against the version that it began with: whoever has saved since then is not overwritten unseen.
      return {
        ...state,
        titre,
        annee,
        duree,
        stored: { ...state.stored, version: version ?? state.stored.version },
        refused: {},
        problem: null,
      };
    }
    case 'remarked':
      return { ...state, remarks: add(state.remarks, event.remarks) };
    case 'remarks read':
      return { ...state, remarks: [] };
    case 'unkept':
      return state.unkept === event.unkept ? state : { ...state, unkept: event.unkept };
  }
}

const add = (remarks: readonly string[], further: readonly string[]): string[] => [...new Set([...remarks, ...further])];

/** Where what is typed is kept, in words. */
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
  const here = errors.filter(({ field }) => field === 'titre' || field === 'annee' || field === 'duree');
  const refused = Object.fromEntries(here.map(({ field, message }) => [field, message]));
  const others = errors.filter((error) => !here.includes(error)).map(({ message }) => message);
  if (here.length > 0 && others.length === 0) return { ...state, refused };
  const notice: Notice =
    others.length > 0 ? { kind: 'error', message: failure, detail: `${others.join(' ')} ${kept}` } : noticeOf(answer, failure, kept);
  return { ...state, refused, problem: { what: 'failed', notice, signedOut: isSignedOut(answer) } };
}

/** Whether there is something that saving would store. */
export const isModified = ({ titre, annee, duree, stored, textsChanged }: EditState): boolean =>
  textsChanged || titre !== stored.titre || annee !== stored.annee || duree !== stored.duree;
