import { disciplineSchema, prepaSchema } from '../../src/shared/forms/catalogue.ts';
import { parseForm } from '../../src/shared/forms/field-errors.ts';
import { isSignedOut, noticeOf } from '../admin-shared/refusal.ts';
import { byField, type FieldErrors, type Typed } from '../forms/form-fields.ts';
import type { Answer } from '../runtime/post.ts';
import type { Notice } from '../ui/Alert.tsx';
import type { AnyRecord, Kind } from './records.ts';

const fieldsOf: Record<Kind, readonly string[]> = { prepa: ['nom', 'description', 'prix'], discipline: ['nom', 'description'] };

/** One of the four editing dialogs. */
export interface EditState {
  values: Typed;
  /** What is stored, as far as this dialog knows: the values that it began with, then those that a conflict has told. */
  initial: Typed;
  /** Of the record as it was read; null for a new one. */
  version: number | null;
  /** Address of the picture that is stored; null: none. */
  stored: string | null;
  /** The chosen picture; null: none, or the one that is stored. */
  image: File | null;
  /** What is wrong with the chosen file: nothing is sent until another is chosen, or none. */
  pictureFault: string | null;
  pictureRefused: string | null;
  /** Fields that were left once, and are checked while typed in from then on. */
  left: string[];
  submitted: boolean;
  /** Said by the server of what was sent; gone when the field is typed in. */
  refused: FieldErrors;
  busy: boolean;
  /** How much has left, 0 to 1; null when nothing is being sent. */
  sent: number | null;
  notice: Notice | null;
  signedOut: boolean;
  /** What somebody else has stored meanwhile, of the fields that were changed here too. */
  others: Typed;
  pictureChanged: boolean;
}

export type EditEvent =
  | { type: 'typed'; field: string; value: string }
  | { type: 'left'; field: string }
  | { type: 'picture chosen'; file: File | null; fault: string | null }
  | { type: 'submitted' }
  | { type: 'sending' }
  | { type: 'progressed'; sent: number }
  | { type: 'refused'; answer: Answer<{ current: AnyRecord }> | null; kind: Kind; failure: string };

function valuesOf(kind: Kind, record: AnyRecord | null): Typed {
  const values = record as unknown as Record<string, unknown> | null;
  return Object.fromEntries(fieldsOf[kind].map((field) => [field, String(values?.[field] ?? '')]));
}

export function beginEdit(kind: Kind, record: AnyRecord | null): EditState {
  const values = valuesOf(kind, record);
  return {
    values,
    initial: values,
    version: record?.version ?? null,
    left: [],
    submitted: false,
    refused: {},
    others: {},
    stored: record?.image_url ?? null,
    image: null,
    pictureFault: null,
    pictureRefused: null,
    pictureChanged: false,
    busy: false,
    sent: null,
    notice: null,
    signedOut: false,
  };
}

export function reduceEdit(state: EditState, event: EditEvent): EditState {
  switch (event.type) {
    case 'typed': {
      const { [event.field]: _gone, ...refused } = state.refused;
      return { ...state, values: { ...state.values, [event.field]: event.value }, refused };
    }
    case 'left':
      return leave(state, event.field);
    case 'picture chosen':
      return leave({ ...state, image: event.fault === null ? event.file : null, pictureFault: event.fault, pictureRefused: null }, 'image');
    case 'submitted':
      return { ...state, submitted: true, notice: null };
    case 'sending':
      return { ...state, busy: true, sent: 0, refused: {}, notice: null, signedOut: false };
    case 'progressed':
      return { ...state, sent: event.sent };
    case 'refused':
      return refuse({ ...state, busy: false, sent: null }, event);
  }
}

const leave = (state: EditState, field: string): EditState =>
  state.left.includes(field) ? state : { ...state, left: [...state.left, field] };

function refuse(state: EditState, { answer, kind, failure }: Extract<EditEvent, { type: 'refused' }>): EditState {
  const current = answer?.status === 409 ? answer.body.current : undefined;
  if (current) return { ...adopt(state, kind, current), notice: { kind: 'warning', message: answer?.body.message ?? failure } };

  const errors = answer?.body.errors ?? [];
  const refused = byField(fieldsOf[kind], errors);
  // What is said of a field that nobody sees is said above all of them.
  const others = errors.filter(({ field }) => !(field in refused)).map(({ message }) => message);
  const pictureRefused = answer?.body.imageError ?? null;
  const said = Object.keys(refused).length > 0 || pictureRefused !== null;
  const notice: Notice | null =
    others.length > 0 ? { kind: 'error', message: others.join(' ') } : said ? null : noticeOf(answer, failure, kept);
  return { ...state, refused, pictureRefused, notice, signedOut: isSignedOut(answer) };
}

const kept = 'Ce que vous avez saisi est conservé.';

/**
 * Goes on from what somebody else has stored: fields that were not touched here take its values, those that were stay, with the other value at
 * hand. The next submission is made knowing them.
 */
function adopt(state: EditState, kind: Kind, current: AnyRecord): EditState {
  const stored = valuesOf(kind, current);
  const touched = Object.keys(stored).filter((field) => state.values[field] !== state.initial[field]);
  const mine = Object.fromEntries(touched.map((field) => [field, state.values[field] ?? '']));
  return {
    ...state,
    values: { ...stored, ...mine },
    initial: stored,
    version: current.version,
    others: Object.fromEntries(touched.map((field) => [field, stored[field] ?? ''])),
    stored: current.image_url,
    pictureChanged: current.image_url !== state.stored,
  };
}

/** Every field's first fault, by the rules that the server applies too. */
export function faultsOf(kind: Kind, values: Typed): FieldErrors {
  const { errors = [] } = parseForm<unknown>(kind === 'prepa' ? prepaSchema : disciplineSchema, values);
  return Object.fromEntries(errors.map(({ field, message }) => [field, message]));
}

/** The faults to be shown now: of fields that were left or sent, and what the server has said. */
export function shownFaults(kind: Kind, state: EditState): FieldErrors {
  const faults = Object.entries(faultsOf(kind, state.values)).filter(([field]) => state.submitted || state.left.includes(field));
  return { ...state.refused, ...Object.fromEntries(faults) };
}

/** What is wrong with the picture: with the file, by the server's word, or that a new prepa's was taken away again. */
export function shownPictureFault(kind: Kind, creating: boolean, state: EditState): string | undefined {
  const missing = kind === 'prepa' && creating && state.image === null && state.left.includes('image');
  return state.pictureFault ?? state.pictureRefused ?? (missing ? "L'image est obligatoire" : undefined);
}

/** Whether the button may be pressed: everything filled, and a picture for a new prepa (specification §5). */
export function isFilled(kind: Kind, creating: boolean, { values, image }: EditState): boolean {
  return fieldsOf[kind].every((field) => values[field]?.trim()) && !(kind === 'prepa' && creating && image === null);
}

/** Whether closing would lose something. */
export const isChanged = ({ values, initial, image }: EditState): boolean =>
  image !== null || Object.keys(values).some((field) => values[field] !== initial[field]);
